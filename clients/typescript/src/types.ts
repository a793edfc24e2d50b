import type { Endpoints } from './endpoints.gen.ts'
import type { components } from './schema.gen.ts'

export type Schemas = components['schemas']

/** The name of an endpoint that finds or cuts, such as `audio/find-words`. */
export type EndpointId = keyof Endpoints

export type Settings<E extends EndpointId> = Endpoints[E]['settings']
export type Result<E extends EndpointId> = Endpoints[E]['result']

/** A job. Its `result` is that of its endpoint: a check of `endpoint` narrows it. */
export type Job<E extends EndpointId = EndpointId> = Endpoints[E]['job']

/** A job that has completed. */
export type CompletedJob<E extends EndpointId = EndpointId> = {
  [Id in E]: Omit<Job<Id>, 'result'> & { readonly result: Result<Id> }
}[E]

/** What a job is created with. */
export interface JobRequest<E extends EndpointId> extends Omit<Schemas['JobCreateRequest'], 'endpoint' | 'settings'> {
  readonly endpoint: E
  readonly settings?: Settings<E>
}

export type WorkflowRun = Schemas['WorkflowRun']
export type WorkflowPlan = Schemas['WorkflowPlan']
export type Batch = Schemas['Batch']
export type BatchItem = Schemas['BatchItem']
export type Directive = Schemas['Directive']
export type Upload = Schemas['Upload']
export type Usage = Schemas['Usage']

/** What a chain is run with. */
export type RunRequest = Omit<Schemas['WorkflowRunRequest'], 'mode'>
