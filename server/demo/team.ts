import type { DemoCaller } from '#server/demo/caller.ts'
import type { profileFields } from '#shared/features/profiles/schema.ts'
import type { z } from 'zod'

/** The password of all demo users. */
export const demoUser = { email: 'demo@example.com', password: 'demo-panel', name: 'Demo' }

/** Has her own accounts; her panel and her chat are in Russian. */
export const anna = { username: 'anna', email: 'anna@example.com', name: 'Анна Петрова', language: 'ru' } as const
const colleagues = [
  { username: 'daniel', email: 'daniel@example.com', name: 'Daniel Weber', language: 'en' },
  { username: 'mia', email: 'mia@example.com', name: 'Mia Larsen', language: 'en' },
] as const

/** `domains`: how many of the demo user's domains are added to it, by name. */
export const demoGroups = [
  { name: 'Storefronts', icon: 'cart', color: '#2f9e44', description: 'Shops that take orders. Call Daniel first.', domains: 24 },
  { name: 'Landing pages', icon: 'megaphone', color: '#f08c00', description: 'Campaigns, replaced often', domains: 320 },
  { name: 'Blogs', icon: 'news', color: '#1971c2', description: 'Content sites', domains: 180 },
  { name: 'Client sites', icon: 'briefcase', color: '#9c36b5', description: 'Hosted for customers, changes by agreement', domains: 90 },
  { name: 'Parked', icon: 'archive', color: '#868e96', description: 'Held for later', domains: 140 },
] as const

const record = { ttl: 1, proxied: false }
const profiles: readonly z.input<typeof profileFields>[] = [
  {
    name: 'Storefront',
    settings: { ssl: 'strict', minTlsVersion: '1.2', alwaysUseHttps: true, securityLevel: 'medium' },
    records: [{ ...record, type: 'CNAME', name: 'www', content: '{{domain}}', proxied: true }],
  },
  { name: 'Landing page', settings: { ssl: 'full', minTlsVersion: '1.2', alwaysUseHttps: true, securityLevel: 'high' }, records: [] },
  {
    name: 'No mail',
    settings: { alwaysUseHttps: true },
    records: [
      { ...record, type: 'TXT', name: '@', content: 'v=spf1 -all' },
      { ...record, type: 'TXT', name: '_dmarc', content: 'v=DMARC1; p=reject' },
    ],
  },
]

/** Groups, profiles, a status page and colleagues with shares. Once, for a new demo. */
export async function seedTeam(demo: DemoCaller): Promise<void> {
  for (const { username, email, name, language } of [anna, ...colleagues])
    await demo.users.create({ username, email, name, language, password: demoUser.password, role: 'user' })
  const groupIds = new Map<string, string>()
  for (const { domains: _, ...fields } of demoGroups) {
    const { group } = await demo.groups.create(fields)
    groupIds.set(group.name, group.id)
  }
  const [storefronts, landingPages] = [groupIds.get('Storefronts') ?? '', groupIds.get('Landing pages') ?? '']
  await demo.monitoring.saveStatusPage({ groupId: storefronts, slug: 'storefronts', title: 'Storefronts', enabled: true })
  await demo.sharing.create({ groupId: storefronts, user: 'daniel', level: 'manage' })
  await demo.sharing.create({ groupId: landingPages, user: 'mia', level: 'operate' })
  await demo.sharing.create({ groupId: storefronts, user: anna.username, level: 'view' })
  for (const [index, fields] of profiles.entries()) {
    const { profile } = await demo.profiles.create(fields)
    if (index === 0) await demo.profiles.setDefault({ id: profile.id, isDefault: true })
  }
}
