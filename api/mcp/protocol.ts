/** Newest of each generation first: what the server offers where a client asks for one that it does not know. */
export const protocolVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2026-07-28'] as const

export const serverName = 'media-timeline'
export const serverTitle = 'Media Timeline'
