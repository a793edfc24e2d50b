import { strictFields } from '../../../src/core/input-problems.ts'
import { refreshOutputs } from '../../jobs/read.ts'
import { answerJob, describeLinks, jobAnswer } from '../answers.ts'
import { defineTool, jobIdArgument, lookUp } from '../define-tool.ts'

export const regenerateOutputUrlTool = defineTool({
  name: 'regenerate_output_url',
  title: 'Get new URLs for the files of a job',
  description:
    'Signs new URLs for the files of a completed job, without running it again and at no cost. Use it when a URL has expired.',
  auth: 'key',
  annotations: lookUp,
  input: strictFields({ job_id: jobIdArgument }),
  output: jobAnswer,
  run: async ({ job_id }, { context, credential }) => {
    const answer = await answerJob(context, await refreshOutputs(context, credential, job_id))
    const { links = [] } = answer
    return { ...answer, text: `${describeLinks(links)}The new URLs are valid for an hour. Nothing was charged.` }
  },
})
