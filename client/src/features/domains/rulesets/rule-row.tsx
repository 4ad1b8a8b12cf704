import { IconArrowDown, IconArrowUp, IconChevronsDown, IconChevronsUp, IconCopy, IconTrash } from '@tabler/icons-react'
import type { PointerEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { rulesetCatalog, type RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import type { RowMenuItem } from '#client/ui/table/row-menu.tsx'
import type { RuleChanges } from './mutations.ts'
import type { Rule } from './queries.ts'
import { RuleLine } from './rule-line.tsx'

type Action = 'first' | 'up' | 'down' | 'last' | 'copy' | 'delete'

/** One rule: what it matches, what it does, and its actions. */
export function RuleRow({
  phase,
  rule,
  place,
  locked,
  full,
  changes,
  onHandleDown,
  onEdit,
  onCopy,
  onDelete,
}: {
  phase: RulePhase
  rule: Rule
  place: { number: number; of: number }
  locked: string | null
  /** No other rule fits. */
  full: boolean
  changes: RuleChanges
  onHandleDown: (event: PointerEvent) => void
  onEdit: (rule: Rule) => void
  onCopy: (rule: Rule) => void
  onDelete: (rule: Rule) => void
}) {
  const { t } = useTranslation('rulesets')
  const { number, of } = place
  const editable = rulesetCatalog[phase].actions.some((each) => each === rule.action)
  const first = number === 1
  const last = number === of
  const items: readonly RowMenuItem<Action>[] = [
    { action: 'first', icon: IconChevronsUp, label: t('row.first'), off: locked ?? (first ? t('row.is_first') : null) },
    { action: 'up', icon: IconArrowUp, label: t('row.up'), off: locked ?? (first ? t('row.is_first') : null) },
    { action: 'down', icon: IconArrowDown, label: t('row.down'), off: locked ?? (last ? t('row.is_last') : null) },
    { action: 'last', icon: IconChevronsDown, label: t('row.last'), off: locked ?? (last ? t('row.is_last') : null) },
    { action: 'copy', icon: IconCopy, label: t('row.copy'), off: locked ?? (full ? t('full') : editable ? null : t('row.other_action')) },
    { action: 'delete', icon: IconTrash, label: t('row.delete'), off: locked, danger: true },
  ]
  const act = (action: Action): void => {
    if (action === 'copy') return onCopy(rule)
    if (action === 'delete') return onDelete(rule)
    changes.move(phase, rule, { first: 1, up: number - 1, down: number + 1, last: of }[action])
  }
  return (
    <RuleLine
      rule={rule}
      number={number}
      note={
        <>
          {rule.isOfDeletedProfile ? (
            <span title={t('row.of_deleted_profile_title')}>{t('row.of_deleted_profile')}</span>
          ) : rule.profile === null ? (
            <span title={t(rule.isOurs ? 'row.ours_title' : 'row.foreign_title')}>{rule.isOurs ? 'Zonedeck' : t('row.foreign')}</span>
          ) : (
            <span className="anywhere" title={t('row.of_profile_title')}>
              {t('row.of_profile', { profile: rule.profile.name })}
            </span>
          )}
          {rule.modifiedAt === null ? null : <RelativeTime at={rule.modifiedAt} />}
        </>
      }
      onHandleDown={locked === null && of > 1 && !changes.busy.has(rule.id) ? onHandleDown : undefined}
      busy={changes.busy.has(rule.id)}
      locked={locked}
      uneditable={editable ? null : t('row.other_action')}
      refusal={changes.refusals.get(rule.id)}
      items={items}
      onToggle={() => changes.toggle(phase, rule)}
      onEdit={() => onEdit(rule)}
      onAction={act}
    />
  )
}
