import { strictFields } from '../../../src/core/input-problems.ts'
import { refreshOutputs } from '../../jobs/read.ts'
import { answerJob, completedJob, describeLinks, jobAnswer } from '../answers.ts'
import { defineTool, jobOrRunIdArgument, lookUp } from '../define-tool.ts'

export const regenerateOutputUrlTool = defineTool({
  name: 'regenerate_output_url',
  title: 'Get new URLs for the files of a job or a run',
  description:
    'Signs new URLs for the files of a completed job, or of the last step of a completed run, without running it again and at no cost. Use it when a URL has expired.',
  auth: 'key',
  annotations: lookUp,
  input: strictFields({ job_id: jobOrRunIdArgument }),
  output: jobAnswer,
  run: async ({ job_id }, call) => {
    const { context, credential } = call
    const { id } = await completedJob(call, job_id)
    const answer = await answerJob(context, await refreshOutputs(context, credential, id))
    const { links = [] } = answer
    return { ...answer, text: `${describeLinks(links)}The new URLs are valid for an hour. Nothing was charged.` }
  },
})
