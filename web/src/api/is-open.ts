/** Whether a job or a run goes on. */
export function isOpen({ status }: { readonly status: string }): boolean {
  return status === 'queued' || status === 'running'
}
