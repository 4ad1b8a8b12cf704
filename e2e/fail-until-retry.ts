import type { Locator, Page, Route } from 'playwright/test'
import { expect } from 'playwright/test'

/**
 * Refuses these requests until Retry is clicked: with a fault that is lifted before the click, an event may load the list again, and the button is
 * gone.
 * @returns clicks the button; the requests succeed from then on, until the next page is loaded
 */
export async function failUntilRetry(
  page: Page,
  requests: RegExp,
  refuse: (route: Route) => Promise<void> = (route) => route.abort(),
): Promise<(retry: Locator) => Promise<void>> {
  await page.route(requests, async (route) => {
    const retried = await page.evaluate(() => document.documentElement.dataset['retried'])
    await (retried === undefined ? refuse(route) : route.continue())
  })
  return async (retry) => {
    await expect(retry).toBeVisible()
    await page.evaluate(() => {
      const note = () => (document.documentElement.dataset['retried'] = 'yes')
      document.addEventListener('click', note, { capture: true, once: true })
    })
    await retry.click()
  }
}
