import { jobRequest } from '../../../../api/jobs/request-schema.ts'
import { validateJobRequest } from '../../../../api/jobs/validate.ts'
import { planGoal as planGoalWith } from '../../../../api/mcp/planning/plan-goal.ts'
import { modelNames } from '../../../../src/models/models.ts'

export const planGoal = (goal: string) => planGoalWith(goal, 'url', new Set(modelNames))

/** The arguments of the jobs that the plan creates, without their media and keys. */
export function jobsOf(goal: string): object[] {
  const creates = planGoal(goal).steps.filter(({ tool }) => tool === 'svc.create_job')
  return creates.map(({ arguments: { media_url: _, idempotency_key: __, ...job } }) => job)
}

/** The warnings about the jobs of the plan that leave nothing open. Throws if one of them is refused. */
export function warningsOf(goal: string): string[] {
  const complete = jobsOf(goal).filter((job) => !JSON.stringify(job).includes('"<'))
  const requests = complete.map((job) => jobRequest.parse({ ...job, media_url: 'https://media.example/talk.mp4' }))
  return requests.flatMap((request) => validateJobRequest(request).warnings)
}

/** A goal, and the jobs that do what it asks for. */
export type PlannedGoal = readonly [goal: string, ...jobs: object[]]

export const clip = (settings: object, times: object = {}) => ({ endpoint: 'video/clip-window', ...times, settings })
export const near = (settings: object, times: object = {}) => ({ endpoint: 'video/clip-near', ...times, settings })
export const find = (endpoint: string, settings: object = {}, times: object = {}) => ({ endpoint, ...times, settings })
