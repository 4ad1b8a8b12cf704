import { ActionIcon } from '@mantine/core'
import { IconGripVertical, IconPencil } from '@tabler/icons-react'
import { type PointerEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RuleDefinition } from '#shared/features/domains/rulesets/schema.ts'
import { Switch } from '#client/ui/form/switch.tsx'
import { dragHandleClass } from '#client/ui/table/use-drag-order.ts'
import { RowMenu, type RowMenuItem } from '#client/ui/table/row-menu.tsx'
import tags from '#client/ui/display/tag.module.css'
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

/** A rule in a list: what it matches, what it does, and its actions. */
export function RuleLine<Action extends string>({
  rule,
  number,
  note,
  onHandleDown,
  busy = false,
  locked = null,
  uneditable = null,
  refusal,
  items,
  onToggle,
  onEdit,
  onAction,
}: {
  rule: RuleDefinition
  number: number
  note: ReactNode
  /** Begins to drag it; undefined: it cannot be dragged. */
  onHandleDown?: ((event: PointerEvent) => void) | undefined
  busy?: boolean
  /** Why it cannot be changed. */
  locked?: string | null
  /** Why it has no form. */
  uneditable?: string | null
  /** Why its last change failed. */
  refusal?: string | undefined
  /** The other actions. */
  items: readonly RowMenuItem<Action>[]
  onToggle: () => void
  onEdit: () => void
  onAction: (action: Action) => void
}) {
  const { t } = useTranslation('rulesets')
  const [open, setOpen] = useState(false)
  const title = useRuleTitle()(rule)
  const name = useActionName()(rule.action)
  const parameters = useParameterWords()(rule)
  const isNamed = rule.description.trim() !== ''
  return (
    <li className={`grid size-13 divided ${classes['rule']}`} data-off={!rule.enabled || undefined} aria-busy={busy || undefined}>
      {onHandleDown === undefined ? (
        <span className={`muted numeric text-end ${classes['number']}`}>{number}</span>
      ) : (
        <span
          className={`muted numeric text-end ${classes['number']} ${dragHandleClass}`}
          title={t('row.drag')}
          data-number
          onPointerDown={onHandleDown}
        >
          <span>{number}</span>
          <IconGripVertical size={15} stroke={1.7} aria-hidden />
        </span>
      )}
      <span className={classes['switch']} title={locked ?? undefined}>
        <Switch label={t('row.enabled', { rule: title })} on={rule.enabled} disabled={locked !== null || busy} onChange={onToggle} />
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
      <div className={`size-12 muted ${classes['origin']}`}>{note}</div>
      <div className={`row gap-2 ${classes['actions']}`}>
        <ActionIcon
          size={28}
          aria-label={t('row.edit', { rule: title })}
          title={locked ?? uneditable ?? t('row.edit_hint')}
          disabled={locked !== null || uneditable !== null}
          onClick={onEdit}
        >
          <IconPencil size={15} stroke={1.7} />
        </ActionIcon>
        <RowMenu label={t('row.menu', { rule: title })} hint={t('row.menu_hint')} items={items} onAction={onAction} />
      </div>
    </li>
  )
}
