import type { Locator, Page } from 'playwright/test'

/** Drags a row by its handle to the place of another one; the caller drops it. */
export async function dragRow(page: Page, row: Locator, to: Locator, handle: string): Promise<void> {
  await row.hover()
  const [from, grip, target] = [await row.boundingBox(), await row.getByTitle(handle).boundingBox(), await to.boundingBox()]
  if (from === null || grip === null || target === null) throw new Error('the rows are not visible')
  const [x, y] = [grip.x + grip.width / 2, grip.y + grip.height / 2]
  // The handle stays where it is in the row.
  const place = target.y > from.y ? target.y + target.height - from.height : target.y
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x, place + (y - from.y), { steps: 8 })
}
