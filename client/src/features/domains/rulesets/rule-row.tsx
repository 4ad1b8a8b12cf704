import { ActionIcon } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconChevronsDown, IconChevronsUp, IconCopy, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { rulesetCatalog, type RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { Switch } from '#client/ui/form/switch.tsx'
import { RowMenu, type RowMenuItem } from '#client/ui/table/row-menu.tsx'
import tags from '#client/ui/display/tag.module.css'
import type { RuleChanges } from './mutations.ts'
import type { Rule } from './queries.ts'
import { useActionName, useParameterWords, useRuleTitle } from './use-rule-words.ts'
import classes from './rules-tab.module.css'

const tones: Readonly<Record<string, 'warn' | 'info' | 'good'>> = {
  block: 'warn',
  managed_challenge: 'warn',
  js_challenge: 'warn',
  challenge: 'warn',
  skip: 'good',
  redirect: 'info',
}

type Action = 'first' | 'up' | 'down' | 'last' | 'copy' | 'delete'

/** One rule: what it matches, what it does, and its actions. */
export function RuleRow({
  phase,
  rule,
  place,
  locked,
  full,
  changes,
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
  onEdit: (rule: Rule) => void
  onCopy: (rule: Rule) => void
  onDelete: (rule: Rule) => void
}) {
  const { t } = useTranslation('rulesets')
  const [open, setOpen] = useState(false)
  const title = useRuleTitle()(rule)
  const name = useActionName()(rule.action)
  const parameters = useParameterWords()(rule)
  const { number, of } = place
  const refusal = changes.refusals.get(rule.id)
  const busy = changes.busy.has(rule.id)
  const editable = rulesetCatalog[phase].actions.some((each) => each === rule.action)
  const isNamed = rule.description.trim() !== ''
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
    <li className={`grid size-13 divided ${classes['rule']}`} data-off={!rule.enabled || undefined} aria-busy={busy || undefined}>
      <span className={`muted numeric text-end ${classes['number']}`}>{number}</span>
      <span className={classes['switch']} title={locked ?? undefined}>
        <Switch
          label={t('row.enabled', { rule: title })}
          on={rule.enabled}
          disabled={locked !== null || busy}
          onChange={() => changes.toggle(phase, rule)}
        />
      </span>
      <div className={`column gap-2 shrink ${classes['what']}`}>
        {isNamed ? (
          <strong className={`medium anywhere ${open ? '' : 'clip two-lines'}`} title={open ? undefined : rule.description}>
            {rule.description}
          </strong>
        ) : null}
        <button
          type="button"
          className={`bare text-start mono pointer radius-s size-12 ${isNamed ? 'secondary' : 'primary'} ${open ? 'anywhere' : 'cut'} ${classes['expression']}`}
          aria-expanded={open}
          aria-label={`${t('row.expression')}: ${rule.expression}`}
          title={open ? undefined : rule.expression}
          onClick={() => setOpen(!open)}
        >
          {rule.expression}
        </button>
        {refusal === undefined ? null : (
          <p className="size-12 bad anywhere" role="alert">
            {refusal}
          </p>
        )}
      </div>
      <div className={`shrink ${classes['does']}`}>
        <span className={tags['tag']} data-tone={tones[rule.action]}>
          {name}
        </span>
        {parameters === '' ? null : (
          <span className={`secondary size-12 ${open ? 'anywhere' : 'cut'} ${classes['parameters']}`} title={parameters}>
            {parameters}
          </span>
        )}
      </div>
      <div className={`size-12 muted ${classes['origin']}`}>
        <span title={t(rule.isOurs ? 'row.ours_title' : 'row.foreign_title')}>{rule.isOurs ? 'Zonedeck' : t('row.foreign')}</span>
        {rule.modifiedAt === null ? null : <RelativeTime at={rule.modifiedAt} />}
      </div>
      <div className={`row gap-2 ${classes['actions']}`}>
        <ActionIcon
          size={28}
          aria-label={t('row.edit', { rule: title })}
          title={locked ?? (editable ? t('row.edit_hint') : t('row.other_action'))}
          disabled={locked !== null || !editable}
          onClick={() => onEdit(rule)}
        >
          <IconPencil size={15} stroke={1.7} />
        </ActionIcon>
        <RowMenu label={t('row.menu', { rule: title })} hint={t('row.menu_hint')} items={items} onAction={act} />
      </div>
    </li>
  )
}
