import { z } from 'zod'
import { axeFindings } from '../../axe.ts'
import { call, expect, register, signIn, test, useDeck } from '../../fixtures.ts'
import { texts } from '../../texts.ts'

useDeck({ world: { zones: 20, accounts: 1 } })

const groups = (token: string) => call('GET', '/groups', z.unknown(), undefined, token)

for (const language of ['ru', 'en'] as const) {
  test(`R-AUT-07 a token is created, shown once, used and revoked, in ${language}`, async ({ page }) => {
    const t = texts(language)
    const who = await register(`Tool-${language}`)
    await signIn(page, who)
    await page.addInitScript((value) => localStorage.setItem('zonedeck.language', value), language)
    await page.goto('/me')
    const part = page.getByRole('region', { name: t('api-tokens:title'), exact: true })
    await expect(part.getByText(t('api-tokens:empty'))).toBeVisible()
    await part.getByRole('button', { name: t('api-tokens:create') }).click()
    const dialog = page.getByRole('dialog', { name: t('api-tokens:form.title') })
    await dialog.getByRole('textbox', { name: t('api-tokens:form.name') }).fill('Резервные копии')
    await dialog.getByRole('button', { name: t('api-tokens:create') }).click()

    const made = page.getByRole('dialog', { name: t('api-tokens:made.title') })
    const secret = (await made.getByText(/^zd_[\w-]{43}$/).textContent()) ?? ''
    await page.keyboard.press('Escape')
    await expect(made).toBeVisible()
    await made.getByRole('button', { name: t('api-tokens:made.done') }).click()
    await groups(secret)
    await expect(call('POST', '/groups', z.unknown(), { name: 'Shops' }, secret)).rejects.toThrow('read_only_token')

    await page.reload()
    const row = part.getByRole('listitem')
    await expect(row).toContainText('Резервные копии')
    await expect(row).toContainText(t('api-tokens:scope.read'))
    await expect(row).toContainText(`${secret.slice(0, 9)}…`)
    await expect(row).toContainText('127.0.0.1')
    expect(await page.content()).not.toContain(secret)

    await row.getByRole('button', { name: t('api-tokens:revoke_one', { name: 'Резервные копии' }) }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('api-tokens:revoke') })
      .click()
    await expect(part.getByText(t('api-tokens:empty'))).toBeVisible()
    await expect(groups(secret)).rejects.toThrow('401')
  })
}

test('a token needs a name and an expiry in the future; a token without expiry shows a warning', async ({ page, t }) => {
  await signIn(page, await register('Careful'))
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/me')
  await page.getByRole('button', { name: t('api-tokens:create') }).click()
  const dialog = page.getByRole('dialog', { name: t('api-tokens:form.title') })
  const submit = dialog.getByRole('button', { name: t('api-tokens:create') })
  await submit.click()
  await expect(dialog.getByText(t('validation:required'))).toBeVisible()
  await dialog.getByRole('textbox', { name: t('api-tokens:form.name') }).fill('CI')
  const life = dialog.getByLabel(t('api-tokens:form.life'))
  await life.selectOption('never')
  await expect(dialog.getByText(t('api-tokens:form.endless_help'))).toBeVisible()
  await life.selectOption('date')
  await submit.click()
  await expect(dialog.getByText(t('validation:required'))).toBeVisible()
  // A past date cannot be picked.
  const day = dialog.getByRole('button', { name: t('api-tokens:form.day') })
  await day.click()
  await expect(page.getByRole('button', { name: t('common:calendar.previous') })).toBeDisabled()
  await page.getByRole('button', { name: t('common:calendar.next') }).click()
  await page.getByRole('button', { name: /^15 / }).click()
  await expect(day).toHaveText(/^15 /)
  await expect(dialog.getByText(t('validation:required'))).toBeHidden()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.mouse.move(0, 0)
  expect(await axeFindings(page)).toEqual([])
  await life.selectOption('never')
  await submit.click()
  await page
    .getByRole('dialog', { name: t('api-tokens:made.title') })
    .getByRole('button', { name: t('api-tokens:made.done') })
    .click()
  await expect(page.getByRole('region', { name: t('api-tokens:title') }).getByRole('listitem')).toContainText(t('api-tokens:endless'))
})
