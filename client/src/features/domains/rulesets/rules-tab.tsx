import { ActionIcon, Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLock } from '#client/features/sharing/index.ts'
import type { RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import { failureWords } from '#client/lib/errors.ts'
import { trpc } from '#client/lib/trpc.ts'
import { EmptyState } from '#client/ui/feedback/empty-state.tsx'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { Freshness } from '#client/ui/feedback/freshness.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { lateDialog } from '#client/ui/overlay/layer.tsx'
import { DeleteRule } from './delete-rule.tsx'
import { useRuleChanges, type RuleChanges } from './mutations.ts'
import { PageRules } from './page-rules.tsx'
import { PhaseSection } from './phase-section.tsx'
import { useRulesets, type Rule, type Rulesets } from './queries.ts'
import classes from './rules-tab.module.css'

const RuleDialog = lateDialog(async () => (await import('./rule-dialog.tsx')).RuleDialog)

/** What the rule dialog shows. */
type Opened = { phase: RulePhase; rule: Rule | null; copy: boolean }

/** The rules of a domain by phase, in the order in which Cloudflare runs them. An instance always belongs to the same domain. */
export function RulesTab({ domainId }: { domainId: string }) {
  const { t } = useTranslation('rulesets')
  const zone = trpc.domains.full.useQuery({ id: domainId }).data?.zone
  const lock = useLock()
  const locked = zone?.gone === true ? t('gone') : lock('operate')
  const changes = useRuleChanges(domainId)
  const { list, refresh, refreshing, refreshError } = useRulesets(domainId, zone === undefined || locked !== null)
  if (list.isError && list.data === undefined) {
    return <ErrorState title={t('failed.load')} error={list.error} onRetry={() => void list.refetch()} />
  }
  const failure = refreshError === null || refreshing ? null : failureWords(t('failed.refresh'), refreshError)
  if (list.data === undefined || (list.data.readAt === null && refreshing)) return <Loading />
  if (list.data.readAt === null) {
    return (
      <EmptyState
        picture="empty"
        title={t('not_read')}
        text={failure ?? t('not_read_text')}
        action={
          <Button variant="default" disabled={locked !== null} title={locked ?? undefined} onClick={refresh}>
            {t('read_now')}
          </Button>
        }
      />
    )
  }
  return (
    <>
      <div className="row gap-8 between size-13 secondary">
        {isEmpty(list.data) ? (
          <p className="pretty">
            <strong className="block medium primary">{t('empty')}</strong>
            {t('empty_text')}
          </p>
        ) : (
          <p className="pretty">{t('intro')}</p>
        )}
        <div className="row gap-8 fixed">
          <span className={classes['age']}>
            <Freshness at={list.data.readAt} updating={refreshing} />
          </span>
          <ActionIcon
            variant="default"
            size={32}
            aria-label={t('refresh')}
            title={locked ?? t('refresh')}
            disabled={locked !== null}
            loading={refreshing}
            onClick={refresh}
          >
            <IconRefresh size={15} stroke={1.8} />
          </ActionIcon>
        </div>
      </div>
      {failure === null ? null : (
        <p className="size-13 primary radius-8 on-bad p-8-12 mt-8" role="alert">
          {failure}
        </p>
      )}
      <Sections domainId={domainId} data={list.data} changes={changes} plan={zone?.plan ?? null} locked={locked} />
    </>
  )
}

const isEmpty = ({ rulesets, pageRules }: Rulesets): boolean =>
  pageRules.rules.length === 0 && rulesets.every(({ rules, problem }) => rules.length === 0 && problem === null)

function Sections({
  domainId,
  data,
  changes,
  plan,
  locked,
}: {
  domainId: string
  data: Rulesets
  changes: RuleChanges
  plan: string | null
  locked: string | null
}) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const [deleted, setDeleted] = useState<{ phase: RulePhase; rule: Rule } | null>(null)
  const rulesets = data.rulesets.map(changes.shown)
  return (
    <div className={`column ${classes['sections']}`}>
      {rulesets.map((ruleset) => (
        <PhaseSection
          key={ruleset.phase}
          ruleset={ruleset}
          plan={plan}
          locked={locked}
          changes={changes}
          onAdd={() => setOpened({ phase: ruleset.phase, rule: null, copy: false })}
          onEdit={(rule) => setOpened({ phase: ruleset.phase, rule, copy: false })}
          onCopy={(rule) => setOpened({ phase: ruleset.phase, rule, copy: true })}
          onDelete={(rule) => setDeleted({ phase: ruleset.phase, rule })}
        />
      ))}
      <PageRules {...data.pageRules} />
      {opened === null ? null : (
        <RuleDialog
          domainId={domainId}
          phase={opened.phase}
          rule={opened.rule}
          isCopy={opened.copy}
          ruleset={rulesets.find(({ phase }) => phase === opened.phase)}
          plan={plan}
          changes={changes}
          onClose={() => setOpened(null)}
        />
      )}
      {deleted === null ? null : <DeleteRule {...deleted} changes={changes} onClose={() => setDeleted(null)} />}
    </div>
  )
}

function Loading() {
  const { t } = useTranslation('rulesets')
  return (
    <div className={`column ${classes['sections']} ${classes['loading']}`} role="status" aria-busy>
      <span className="sr-only">{t('loading')}</span>
      {[52, 64, 40, 58, 46, 60].map((width) => (
        <div key={width} className="card p-14-16">
          <Skeleton width={`${width}%`} />
        </div>
      ))}
    </div>
  )
}
