import { expect } from 'playwright/test'
import type { Page } from 'playwright/test'
import './layer-probe.ts'

/** Waits until nothing has moved for the given time; `installProbe` must have run. */
export const still = (page: Page, ms: number): Promise<void> => page.evaluate((each) => window.probe.quiet(each), ms)

/** Loads the page, or navigates to it in the client if another one is loaded, and waits until it stands still; `installProbe` must have been added. */
export async function open(page: Page, address: string, how: 'load' | 'navigate'): Promise<void> {
  if (how === 'load' || page.url() === 'about:blank') await page.goto(address)
  else await page.evaluate((url) => history.pushState({}, '', url), address)
  await still(page, 200)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
  await still(page, 200)
}
