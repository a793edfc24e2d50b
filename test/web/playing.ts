import type { Page } from 'playwright-core'
import { z } from 'zod'

/**
 * The times of the element that plays and is seen, every 25 ms, from before `start` until one of them is past `seconds`. Without a
 * sound card, a busy machine begins to play seconds after the key.
 */
export async function playPast(page: Page, seconds: number, start: () => Promise<unknown>): Promise<number[]> {
  const [times] = await Promise.all([page.evaluate(`(${watch})(${seconds})`), start()])
  return z.array(z.number()).parse(times)
}

const watch = `async (last) => {
  const times = []
  const end = performance.now() + 60_000
  while (!(times.at(-1) > last) && performance.now() < end) {
    const playing = [...document.querySelectorAll('video')].find(({ paused, style }) => !paused && style.opacity !== '0')
    if (playing) times.push(playing.currentTime)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return times
}`

const pictureSchema = z.object({ width: z.number(), seconds: z.number(), pixels: z.string() })

/** The picture that is seen, at rest. */
export async function shownPicture(page: Page) {
  return pictureSchema.parse(await page.evaluate(picture))
}

const picture = `(async () => {
  const shown = [...document.querySelectorAll('video')].find(({ style }) => style.opacity !== '0')
  while (shown.seeking || shown.readyState < 2) await new Promise((resolve) => setTimeout(resolve, 20))
  // Until it is drawn.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 36 })
  const context = canvas.getContext('2d')
  context.drawImage(shown, 0, 0, 64, 36)
  const { data } = context.getImageData(0, 0, 64, 36)
  return { width: shown.videoWidth, seconds: shown.currentTime, pixels: data.join() }
})()`
