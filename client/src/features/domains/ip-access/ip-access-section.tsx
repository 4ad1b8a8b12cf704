import { ActionIcon, Button } from '@mantine/core'
import { IconPencil, IconPlus, IconRefresh, IconTrash } from '@tabler/icons-react'
import { type ReactNode, Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '#client/lib/format.ts'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { Freshness } from '#client/ui/feedback/freshness.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { ConfirmDialog } from '#client/ui/overlay/confirm-dialog.tsx'
import { lazyPart } from '#client/lib/lazy-part.tsx'
import { lateDialog } from '#client/ui/overlay/layer.tsx'
import tags from '#client/ui/display/tag.module.css'
import { useIpRules, type IpAccessScope, type IpRule, type IpRules } from './use-ip-rules.ts'
import classes from './ip-access.module.css'

const AddRulesDialog = lateDialog(async () => (await import('./add-rules-dialog.tsx')).AddRulesDialog)
const AccountChanges = lazyPart(
  async () => (await import('../history/account-changes.tsx')).AccountChanges,
  'history',
  'security',
  'rule-names',
)
const EditRuleDialog = lateDialog(async () => (await import('./edit-rule-dialog.tsx')).EditRuleDialog)

const tones: Readonly<Record<IpRule['mode'], 'warn' | 'good'>> = {
  block: 'warn',
  managed_challenge: 'warn',
  js_challenge: 'warn',
  challenge: 'warn',
  whitelist: 'good',
}

type Opened = { kind: 'add' } | { kind: 'edit' | 'delete'; rule: IpRule }

/** The rules that block, challenge or allow visitors of a domain, or of all domains of an account. */
export function IpAccessSection({ scope, locked, isTitled = true }: { scope: IpAccessScope; locked: string | null; isTitled?: boolean }) {
  const { t } = useTranslation('ip-access')
  const state = useIpRules(scope)
  const [opened, setOpened] = useState<Opened | null>(null)
  const id = useId()
  const close = (): void => setOpened(null)
  return (
    <section className="card" {...(isTitled ? { 'aria-labelledby': id } : { 'aria-label': t('title') })}>
      <header className={`row wrap ${classes['head']}`}>
        <div className={`shrink ${classes['names']}`}>
          {isTitled ? (
            <h2 id={id} className={classes['title']}>
              {t('title')}
            </h2>
          ) : null}
          <p className="size-12 muted pretty">{t(scope.kind === 'account' ? 'account_text' : 'text')}</p>
        </div>
        {state.list.data === undefined ? null : <Freshness at={state.list.data.readAt} updating={state.isRefreshing} />}
        <ActionIcon
          variant="default"
          size={30}
          aria-label={t('refresh')}
          title={locked ?? t('refresh')}
          disabled={locked !== null}
          loading={state.isRefreshing}
          onClick={state.refresh}
        >
          <IconRefresh size={15} stroke={1.8} />
        </ActionIcon>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} stroke={2} aria-hidden />}
          disabled={locked !== null}
          title={locked ?? undefined}
          onClick={() => setOpened({ kind: 'add' })}
        >
          {t('add')}
        </Button>
      </header>
      <Rules state={state} locked={locked} onOpen={setOpened} />
      {scope.kind === 'account' ? (
        <Suspense fallback={null}>
          <AccountChanges accountId={scope.id} locked={locked} />
        </Suspense>
      ) : null}
      {opened?.kind === 'add' ? <AddRulesDialog scope={scope} add={state.add} onClose={close} /> : null}
      {opened?.kind === 'edit' ? <EditRuleDialog rule={opened.rule} save={state.update} onClose={close} /> : null}
      {opened?.kind === 'delete' ? (
        <ConfirmDialog
          title={t('delete_title', { value: opened.rule.value })}
          consequence={t(
            scope.kind === 'account' ? 'delete_account_text' : opened.rule.mode === 'whitelist' ? 'delete_allow_text' : 'delete_text',
          )}
          action={t('delete')}
          count={1}
          onConfirm={() => state.remove(opened.rule)}
          onClose={close}
        />
      ) : null}
    </section>
  )
}

function Rules({
  state: { list },
  locked,
  onOpen,
}: {
  state: ReturnType<typeof useIpRules>
  locked: string | null
  onOpen: (opened: Opened) => void
}): ReactNode {
  const { t } = useTranslation('ip-access')
  if (list.data === undefined && list.isError) {
    return <ErrorState title={t('failed.load')} error={list.error} onRetry={() => void list.refetch()} />
  }
  if (list.data === undefined) {
    return (
      <div className={`line-top ${classes['wait']}`} role="status" aria-busy>
        <span className="sr-only">{t('loading')}</span>
        {[44, 58, 36].map((width) => (
          <Skeleton key={width} width={`${width}%`} />
        ))}
      </div>
    )
  }
  const { rules }: IpRules = list.data
  if (rules.length === 0) return <p className={`line-top size-13 muted ${classes['none']}`}>{t('empty')}</p>
  return (
    <ul className={`line-top ${classes['rules']}`} aria-label={t('title')}>
      {rules.map((rule) => (
        <li key={rule.id} className={`grid size-13 divided hover ${classes['rule']}`}>
          <span className={tags['tag']} data-tone={tones[rule.mode]}>
            {t(`modes.${rule.mode}`)}
          </span>
          <span className="mono anywhere">{rule.value}</span>
          <span className={`size-12 secondary anywhere ${classes['note']}`}>{rule.note}</span>
          <span className={`size-12 muted ${classes['until']}`}>
            {rule.expiresAt === null ? null : t('until', { date: formatDateTime(rule.expiresAt) })}
          </span>
          <span className={`row gap-2 ${classes['actions']}`}>
            <ActionIcon
              size={28}
              aria-label={t('edit_rule', { value: rule.value })}
              title={locked ?? t('edit')}
              disabled={locked !== null}
              onClick={() => onOpen({ kind: 'edit', rule })}
            >
              <IconPencil size={15} stroke={1.7} />
            </ActionIcon>
            <ActionIcon
              size={28}
              aria-label={t('delete_rule', { value: rule.value })}
              title={locked ?? t('delete')}
              disabled={locked !== null}
              onClick={() => onOpen({ kind: 'delete', rule })}
            >
              <IconTrash size={15} stroke={1.7} />
            </ActionIcon>
          </span>
        </li>
      ))}
    </ul>
  )
}
