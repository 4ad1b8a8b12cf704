import { fileURLToPath } from 'node:url'
import { defineConfig } from 'playwright/test'
import { chromiumPath } from './chromium.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  testDir: at('specs'),
  outputDir: at('../test-results/e2e'),
  globalSetup: at('global-setup.ts'),
  workers: 3,
  timeout: 300_000,
  expect: { timeout: 45_000 },
  retries: 0,
  forbidOnly: true,
  reporter: 'list',
  use: {
    browserName: 'chromium',
    launchOptions: {
      executablePath: chromiumPath(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
    viewport: { width: 1440, height: 900 },
    locale: 'ru-RU',
    timezoneId: 'Europe/Berlin',
    colorScheme: 'dark',
    // Without a graphics card, animations take a third of the load time.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 45_000,
    screenshot: 'only-on-failure',
    trace: 'off',
    // Its own journeys allow it; others see every request.
    serviceWorkers: 'block',
  },
})
