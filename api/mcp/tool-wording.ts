/** The tool that does what a request of REST does. */
const toolsByRequest: readonly (readonly [request: RegExp, tool: string])[] = [
  [/POST \/v1\/jobs\/[^/\s]+\/outputs\/refresh/g, 'svc.regenerate_output_url'],
  [/POST \/v1\/workflows\/[^/\s]+\/runs/g, 'svc.create_workflow_job'],
  [/GET \/v1\/uploads\/[\w{}]+/g, 'svc.list_uploads'],
  [/POST \/v1\/uploads\/presign/g, 'svc.create_upload'],
  [/POST \/v1\/estimate/g, 'svc.estimate_cost'],
  [/POST \/v1\/jobs(?!\/)/g, 'svc.create_job'],
  [/GET \/v1\/catalog/g, 'svc.list_endpoints'],
  [/send media_url with an API key/g, 'call svc.check_job_readiness'],
  [/or upload the file\./g, 'or upload the file with svc.create_upload.'],
  [/Idempotency-Key/g, 'idempotency_key'],
]

/** The message of an error for agents. Errors name requests of REST; agents call tools. */
export function inTools(message: string): string {
  return toolsByRequest.reduce((text, [request, tool]) => text.replaceAll(request, tool), message)
}
