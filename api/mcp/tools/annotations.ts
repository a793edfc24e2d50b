import type { ToolAnnotations } from '../define-tool.ts'

/** Reads what this service knows, and changes nothing. */
export const lookUp: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

/** Reads media of the user's, wherever it lies, and changes nothing. */
export const readMedia: ToolAnnotations = { ...lookUp, openWorldHint: true }

/** Adds something each time. */
export const add: ToolAnnotations = { ...lookUp, readOnlyHint: false, idempotentHint: false }

/** Replaces or ends something; once more changes nothing more. */
export const replace: ToolAnnotations = { ...lookUp, readOnlyHint: false, destructiveHint: true }
