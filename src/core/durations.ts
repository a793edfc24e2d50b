export const daySeconds = 86_400
export const dayMs = daySeconds * 1000
export const hourSeconds = 3_600
export const hourMs = 3_600_000
