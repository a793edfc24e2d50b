import type { ToolAnnotations } from '../define-tool.ts'

/** Reads data of this service, and changes nothing. */
export const lookUp: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

/** Reads the user's media at any address, and changes nothing. */
export const lookUpOutside: ToolAnnotations = { ...lookUp, openWorldHint: true }

/** Each call adds something. */
export const add: ToolAnnotations = { ...lookUp, readOnlyHint: false, idempotentHint: false }

/** Replaces or ends something; a repeated call changes nothing more. */
export const replace: ToolAnnotations = { ...lookUp, readOnlyHint: false, destructiveHint: true }
