/** Whether the URL answers successfully within a second. */
export async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1000) })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}

/** The JSON that the URL returns within two seconds, otherwise undefined. */
export async function fetchJson(url: string): Promise<unknown> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) })
    return await response.json()
  } catch {
    return undefined
  }
}
