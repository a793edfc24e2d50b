import type { ExportFormat } from './endpoints.gen.ts'
import type { CreateOptions, Http, Query, RequestOptions } from './http.ts'
import { type ExportOptions, exportOf, type ListFilters } from './jobs.ts'
import { type List, list } from './lists.ts'
import type { RunRequest, Schemas, WorkflowPlan, WorkflowRun } from './types.ts'
import { type WaitOptions, waitFor } from './wait.ts'

interface Envelope {
  readonly run: WorkflowRun
}

export type WorkflowRuns = ReturnType<typeof createWorkflowRuns>

/** Runs of chains, such as `remove-dead-space`: several jobs, of which each uses what the one before found. */
export function createWorkflowRuns(http: Http) {
  const get = async (id: string, options: RequestOptions = {}, query: Query = {}) =>
    (await http.json<Envelope>({ ...options, method: 'GET', path: `/v1/workflow-runs/${id}`, query })).run

  const create = async <T>(workflowId: string, request: Schemas['WorkflowRunRequest'], options: CreateOptions) =>
    await http.json<T>({ ...options, method: 'POST', path: `/v1/workflows/${workflowId}/runs`, body: request })

  const start = async (workflowId: string, request: RunRequest, options: CreateOptions = {}) =>
    (await create<Envelope>(workflowId, { ...request, mode: 'run_all' }, options)).run

  /** Waits until a run has ended. Throws `FailedError` if it failed. */
  const wait = (id: string, options: WaitOptions = {}): Promise<WorkflowRun> =>
    waitFor((query, request) => get(id, request, query), id, options)

  return {
    /** The steps of a chain and the maximum price of each. Runs nothing. */
    plan: async (workflowId: string, request: RunRequest, options: RequestOptions = {}): Promise<WorkflowPlan> =>
      (await create<{ plan: WorkflowPlan }>(workflowId, { ...request, mode: 'plan' }, options)).plan,
    start,
    get,
    wait,
    /** Runs a whole chain and waits for its result. */
    run: async (
      workflowId: string,
      request: RunRequest,
      options: WaitOptions & Pick<CreateOptions, 'idempotencyKey'> = {},
    ) => await wait((await start(workflowId, request, options)).id, options),
    /** The newest first, without their settings and results. */
    list: (filters: ListFilters & { workflow_id?: string } = {}, options: RequestOptions = {}): List<WorkflowRun> =>
      list(http, 'runs', { path: '/v1/workflow-runs', query: { ...filters }, ...options }),
    cancel: async (id: string, options: RequestOptions = {}) =>
      (await http.json<Envelope>({ ...options, method: 'POST', path: `/v1/workflow-runs/${id}/cancel`, body: {} })).run,
    /** Erases a run with its jobs and files. */
    delete: (id: string, options: RequestOptions = {}) =>
      http.json<Schemas['Deletion']>({ ...options, method: 'DELETE', path: `/v1/workflow-runs/${id}` }),
    /** What a run finds or cuts, as a file for editors, players and spreadsheets. */
    export: async (id: string, as: ExportFormat, options: ExportOptions & RequestOptions = {}) =>
      await exportOf(http, `/v1/workflow-runs/${id}/export`, as, options),
  }
}
