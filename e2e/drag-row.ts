import type { Locator, Page } from 'playwright/test'

interface Path {
  readonly x: number
  readonly fromY: number
  readonly toY: number
}

/** How the handle of a row moves to the place of another row. */
async function pathOf(row: Locator, to: Locator, handle: string): Promise<Path> {
  const [from, grip, target] = [await row.boundingBox(), await row.getByTitle(handle).boundingBox(), await to.boundingBox()]
  if (from === null || grip === null || target === null) throw new Error('the rows are not visible')
  const [x, y] = [grip.x + grip.width / 2, grip.y + grip.height / 2]
  // The handle stays where it is in the row.
  const place = target.y > from.y ? target.y + target.height - from.height : target.y
  return { x, fromY: y, toY: place + (y - from.y) }
}

/** Drags a row by its handle to the place of another one; the caller drops it. */
export async function dragRow(page: Page, row: Locator, to: Locator, handle: string): Promise<void> {
  await row.hover()
  const { x, fromY, toY } = await pathOf(row, to, handle)
  await page.mouse.move(x, fromY)
  await page.mouse.down()
  await page.mouse.move(x, toY, { steps: 8 })
}

/** The same with a finger, which is lifted at the end. */
export async function dragByFinger(page: Page, row: Locator, to: Locator, handle: string): Promise<void> {
  await row.scrollIntoViewIfNeeded()
  const { x, fromY, toY } = await pathOf(row, to, handle)
  const devtools = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove', y: number) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints: [{ x, y }] })
  await touch('touchStart', fromY)
  for (let step = 1; step <= 8; step += 1) await touch('touchMove', fromY + ((toY - fromY) * step) / 8)
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}
