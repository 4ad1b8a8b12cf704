import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright/test'
import { z } from 'zod'
import { call, deck, expect, test, useDeck } from '../../fixtures.ts'

useDeck({ world: { zones: 6, accounts: 1, plain: true }, accounts: 1 })

const zones = z.object({ data: z.array(z.object({ id: z.uuid(), zoneId: z.string(), name: z.string() })) })

async function domainAt(index: number) {
  const domain = (await call('GET', '/zones/live', zones)).data[index]
  if (domain === undefined) throw new Error(`no domain ${index}`)
  return domain
}

async function fileOf(page: Page, press: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()])
  return readFile(await download.path(), 'utf8')
}

test('a certificate is issued with a key that is shown once, listed with its expiry, and revoked after its hostname is typed', async ({
  mine,
  t,
}) => {
  const { id, name } = await domainAt(0)
  await mine.goto(`/domains/${id}/security`)
  const section = mine.getByRole('region', { name: t('security:origin.title'), exact: true })
  await expect(section.getByRole('heading', { name: t('security:origin.none') })).toBeVisible()
  await section.getByRole('button', { name: t('security:origin.issue') }).click()
  const dialog = mine.getByRole('dialog')
  await expect(dialog.getByLabel(t('security:origin.hostnames'))).toHaveValue(`${name}\n*.${name}`)
  await dialog.getByLabel(t('security:origin.key')).selectOption('ecc')
  await dialog.getByLabel(t('security:certificates.validity')).selectOption('7')
  await dialog.getByRole('button', { name: t('security:origin.issue') }).click()

  await expect(dialog.getByText(t('security:origin.once_title'))).toBeVisible()
  const key = dialog.getByRole('group', { name: t('security:origin.key') })
  const pem = await fileOf(mine, () => key.getByRole('button', { name: t('security:origin.save_file') }).click())
  const certificate = dialog.getByRole('group', { name: t('security:origin.certificate') })
  const found = new X509Certificate(
    await fileOf(mine, () => certificate.getByRole('button', { name: t('security:origin.save_file') }).click()),
  )
  expect(found.checkPrivateKey(createPrivateKey(pem))).toBe(true)
  expect(found.checkHost(`www.${name}`)).toBeDefined()
  // Neither a key press nor a click beside it closes the dialog.
  await mine.keyboard.press('Escape')
  await expect(key).toBeVisible()
  await dialog.getByRole('button', { name: t('security:origin.saved') }).click()
  await expect(dialog).toBeHidden()

  const item = section.getByRole('listitem', { name })
  await expect(item).toContainText(t('security:origin.states.active'))
  const { originCertificates } = deck().cloudflare.state
  for (const each of originCertificates.values()) originCertificates.set(each.id, { ...each, expiresOnMs: Date.now() + 86_400_000 })
  await section.getByRole('button', { name: t('security:certificates.renew') }).click()
  await expect(item).toContainText(t('security:origin.states.expires_soon'))
  await expect(item).toContainText(t('security:origin.key_not_kept'))
  await expect(item.getByRole('button', { name: t('security:origin.show_key') })).toHaveCount(0)
  await item.getByRole('button', { name: t('security:origin.revoke') }).click()
  const revoke = dialog.getByRole('button', { name: t('security:origin.revoke') })
  await expect(revoke).toBeDisabled()
  await dialog.getByRole('textbox').fill(name)
  await revoke.click()
  await expect(section.getByRole('heading', { name: t('security:origin.none') })).toBeVisible()
  expect([...deck().cloudflare.state.originCertificates.values()].filter(({ revokedOnMs }) => revokedOnMs === null)).toEqual([])
})

test("a kept key is shown again and deleted; Cloudflare's refusal and foreign hostnames are shown in the form", async ({ mine, t }) => {
  const { id, name } = await domainAt(1)
  await mine.goto(`/domains/${id}/security`)
  const section = mine.getByRole('region', { name: t('security:origin.title'), exact: true })
  await section.getByRole('button', { name: t('security:origin.issue') }).click()
  const dialog = mine.getByRole('dialog')
  const issue = dialog.getByRole('button', { name: t('security:origin.issue') })
  await dialog.getByLabel(t('security:origin.key')).selectOption('ecc')
  await dialog.getByLabel(t('security:origin.hostnames')).fill(`elsewhere.example\n${name}\nother.example`)
  await issue.click()
  for (const foreign of ['elsewhere.example', 'other.example'])
    await expect(dialog.getByText(`${foreign}: ${t('faults:foreign_hostname')}`)).toBeVisible()
  await dialog.getByLabel(t('security:origin.hostnames')).fill(name)
  await dialog.getByRole('switch', { name: t('security:origin.keep') }).click()
  await issue.click()
  await expect(dialog.getByText(t('security:origin.kept_title'))).toBeVisible()
  const shown = await dialog
    .getByRole('group', { name: t('security:origin.key') })
    .locator('pre')
    .innerText()
  await dialog.getByRole('button', { name: t('security:origin.saved') }).click()

  const item = section.getByRole('listitem', { name })
  await item.getByRole('button', { name: t('security:origin.show_key') }).click()
  await dialog.getByRole('button', { name: t('security:origin.show_key') }).click()
  await expect(dialog.getByRole('group', { name: t('security:origin.key') }).locator('pre')).toHaveText(shown)
  await mine.keyboard.press('Escape')
  await item.getByRole('button', { name: t('security:origin.forget_key') }).click()
  await dialog.getByRole('button', { name: t('security:origin.forget_key') }).click()
  await expect(item).toContainText(t('security:origin.key_not_kept'))
})
