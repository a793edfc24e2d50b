import type { ToolAnnotations } from '../define-tool.ts'

/** Reads what this service knows, and changes nothing. */
export const lookUp: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}
