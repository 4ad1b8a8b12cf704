import type { AbuseDesk } from '#server/simulators/cloudflare/abuse-desk.ts'
import type { SimAccount, SimZone } from '#server/simulators/cloudflare/model.ts'

const hourMs = 3_600_000

/** Adds abuse reports of the last weeks about some domains of the account. */
export function addDemoReports(desk: AbuseDesk, account: SimAccount, zones: readonly SimZone[], nowMs: number): void {
  const nameOf = (n: number) => zones[n % Math.max(1, zones.length)]?.name ?? 'example.com'
  const submitter = { name: 'Brand protection', company: 'Example Bank', email: 'abuse@bank.example' }
  desk.add(
    account,
    {
      domain: nameOf(3),
      type: 'PHISH',
      status: 'accepted',
      justification: 'The page copies our sign-in form and collects passwords of our customers.',
      original_work: 'bank.example',
      submitter,
      mitigation_summary: { accepted_url_count: 1, active_count: 0, external_host_notified: true, in_review_count: 0, pending_count: 0 },
    },
    { timeMs: nowMs - 3 * hourMs, mitigations: [{ type: 'phishing_interstitial', entity_id: nameOf(3) }] },
  )
  desk.add(
    account,
    {
      domain: nameOf(7),
      type: 'DMCA',
      justification: 'Our photographs are used without a license.',
      original_work: 'https://photos.example/portfolio',
      submitter: { name: 'Mia Larsen', email: 'mia@photos.example' },
    },
    { timeMs: nowMs - 50 * hourMs },
  )
  desk.add(
    account,
    { domain: nameOf(11), type: 'TM', status: 'accepted', justification: 'The domain uses our trademark.', submitter },
    { timeMs: nowMs - 400 * hourMs, mitigations: [{ type: 'network_block', status: 'removed', entity_id: nameOf(11) }] },
  )
}
