import { z } from 'zod'
import { strictFields } from '../../../src/core/input-problems.ts'
import { endpoints, liveEndpoint } from '../../../src/endpoints/catalog.ts'
import { codeExample, exampleLanguages, exampleSources } from '../../catalog/examples/code-example.ts'
import { definePublicTool, lookUp } from '../define-tool.ts'

export const getCodeExampleTool = definePublicTool({
  name: 'get_code_example',
  title: 'Get a code example',
  description:
    'Returns a complete program in Node.js, Python or curl that runs one endpoint over the REST API: it uploads or names the media, if any, creates the job, waits and prints the result. Use it when the user wants code; to run a job yourself, call svc.create_job.',
  annotations: lookUp,
  input: strictFields({
    language: z.enum(exampleLanguages),
    endpoint: z.enum(endpoints.map(({ id }) => id)).describe('A live endpoint from svc.list_endpoints.'),
    source: z
      .enum(exampleSources)
      .default('url')
      .describe(
        'url: media with a URL. file: a local file, which the program uploads. Ignored for timeline endpoints.',
      ),
  }),
  output: z.object({
    language: z.enum(exampleLanguages),
    endpoint: z.string(),
    file_name: z.string(),
    command: z
      .string()
      .describe(
        'The command that runs the program. It reads API_KEY, and MEDIA_URL or MEDIA_FILE if the endpoint reads media.',
      ),
    code: z.string(),
  }),
  run: async ({ language, endpoint, source }, { context }) => {
    const { fileName, command, code } = codeExample(context.config, {
      endpoint: liveEndpoint(endpoint),
      language,
      source,
    })
    return {
      structured: { language, endpoint, file_name: fileName, command, code },
      text: `Save the program as ${fileName} and run: ${command}. It needs no packages. svc.get_endpoint_schema lists the settings to adapt.\n\n${code}`,
    }
  },
})
