import { createFileRoute } from '@tanstack/react-router'
import { IpAccessTab } from '#client/features/domains/ip-access/ip-access-tab.tsx'
import { RulesTab } from '#client/features/domains/rulesets/rules-tab.tsx'
import { loadTexts } from '#client/lib/i18n.ts'
import { utils } from '#client/lib/trpc.ts'

export const Route = createFileRoute('/_app/domains/$id/rules')({
  loader: async ({ params }) => {
    // The rules load in parallel with the page's code.
    void utils.rulesets.list.prefetch({ id: params.id })
    void utils.ipAccess.list.prefetch({ id: params.id })
    await loadTexts('rulesets', 'rule-names', 'ip-access')
  },
  component: ZoneRules,
})

function ZoneRules() {
  const { id } = Route.useParams()
  // Open dialogs and pending changes belong to one domain.
  return (
    <>
      <RulesTab key={id} domainId={id} />
      <IpAccessTab key={id} domainId={id} />
    </>
  )
}
