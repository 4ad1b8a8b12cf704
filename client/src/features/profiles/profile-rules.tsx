import { Button } from '@mantine/core'
import { IconAlertTriangle, IconArrowDown, IconArrowUp, IconCopy, IconPlus, IconTrash } from '@tabler/icons-react'
import { type PointerEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { planNames, RuleLine, usePhaseWords } from '#client/features/domains/index.ts'
import { planTiers, rulePhases, type RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import { mostProfileRules, ruleCosts } from '#shared/features/profiles/rules.ts'
import type { ProfileRule } from '#shared/features/profiles/schema.ts'
import type { ProfileVariable } from '#shared/features/profiles/variables.ts'
import { formatNumber } from '#client/lib/format.ts'
import { lateDialog } from '#client/ui/overlay/layer.tsx'
import { MenuButton } from '#client/ui/overlay/popup-button.tsx'
import { dragListClass, useDragOrder } from '#client/ui/table/use-drag-order.ts'
import { dragged, inOrder, newKey, stepped } from './rule-order.ts'
import classes from './profiles.module.css'

const ProfileRuleDialog = lateDialog(async () => (await import('./profile-rule-dialog.tsx')).ProfileRuleDialog)

type Cost = ReturnType<typeof ruleCosts>[number]

/** What the rule dialog shows. */
interface Opened {
  readonly phase: RulePhase
  readonly rule: ProfileRule | null
  readonly isNew: boolean
}

/** The rules of a profile by phase, in the order in which Cloudflare runs them. */
export function ProfileRules({
  rules,
  variables,
  problemOf,
  onChange,
}: {
  /** In that order. */
  rules: readonly ProfileRule[]
  variables: readonly ProfileVariable[]
  /** The error of a rule, by its index. */
  problemOf: (index: number) => string | undefined
  onChange: (rules: readonly ProfileRule[], added?: readonly ProfileVariable[]) => void
}) {
  const { t } = useTranslation(['profiles', 'rulesets'])
  const phaseWords = usePhaseWords()
  const [opened, setOpened] = useState<Opened | null>(null)
  const full = useFull(rules)
  const save = (next: Omit<ProfileRule, 'key'>, added: readonly ProfileVariable[]): void => {
    const at = rules.findIndex(({ key }) => key === opened?.rule?.key)
    const edited = opened?.isNew === false ? rules[at] : undefined
    onChange(
      inOrder(
        edited === undefined
          ? // A copy follows its original.
            rules.toSpliced(at < 0 ? rules.length : at + 1, 0, { ...next, key: newKey(rules) })
          : rules.with(at, { ...next, key: edited.key }),
      ),
      added,
    )
  }
  return (
    <div className={`column gap-12 ${classes['rules']}`}>
      {ruleCosts(rules).map((cost) => (
        <Phase
          key={cost.phase}
          cost={cost}
          rules={rules}
          problemOf={problemOf}
          onChange={onChange}
          onOpen={(rule, isNew) => setOpened({ phase: cost.phase, rule, isNew })}
        />
      ))}
      <MenuButton
        position="bottom-start"
        width={300}
        button={
          <Button
            variant="subtle"
            size="xs"
            className="self-start"
            disabled={full !== null}
            title={full ?? undefined}
            leftSection={<IconPlus size={14} aria-hidden />}
          >
            {t('rules.add')}
          </Button>
        }
      >
        {(Menu) =>
          rulePhases.map((phase) => (
            <Menu.Item key={phase} onClick={() => setOpened({ phase, rule: null, isNew: true })}>
              {phaseWords(phase).name}
              <span className="block size-12 muted pretty">{phaseWords(phase).text}</span>
            </Menu.Item>
          ))
        }
      </MenuButton>
      {opened === null ? null : <ProfileRuleDialog {...opened} variables={variables} onSave={save} onClose={() => setOpened(null)} />}
    </div>
  )
}

/** Why no rule can be added; null if one can. */
function useFull(rules: readonly ProfileRule[]): string | null {
  const { t } = useTranslation('profiles')
  return rules.length < mostProfileRules ? null : t('rules.full', { formatted: formatNumber(mostProfileRules) })
}

/** The rules of one phase. */
function Phase({
  cost,
  rules,
  problemOf,
  onChange,
  onOpen,
}: {
  cost: Cost
  /** Of all phases. */
  rules: readonly ProfileRule[]
  problemOf: (index: number) => string | undefined
  onChange: (rules: readonly ProfileRule[]) => void
  onOpen: (rule: ProfileRule, isNew: boolean) => void
}) {
  const { name } = usePhaseWords()(cost.phase)
  const first = rules.findIndex(({ phase }) => phase === cost.phase)
  const own = rules.filter(({ phase }) => phase === cost.phase)
  const order = own.map(({ key, place }) => `${key} ${place}`).join(' ')
  const { listRef, onHandleDown } = useDragOrder(order, (from, to) => onChange(dragged(rules, first + from, first + to)))
  return (
    <section className="border radius-8" aria-label={name}>
      <header className={`flex wrap baseline between gap-4-16 ${classes['phase']}`}>
        <h4>{name}</h4>
        <Costs {...cost} />
      </header>
      <ol ref={listRef} className={`line-top ${dragListClass}`}>
        {own.map((rule, index) => (
          <Line
            key={rule.key}
            rules={rules}
            index={first + index}
            rule={rule}
            number={index + 1}
            problem={problemOf(first + index)}
            onHandleDown={own.length > 1 ? (event) => onHandleDown(event, index) : undefined}
            onChange={onChange}
            onOpen={(isNew) => onOpen(rule, isNew)}
          />
        ))}
      </ol>
    </section>
  )
}

type LineAction = 'up' | 'down' | 'copy' | 'delete'

function Line({
  rules,
  index,
  rule,
  number,
  problem,
  onHandleDown,
  onChange,
  onOpen,
}: {
  rules: readonly ProfileRule[]
  index: number
  rule: ProfileRule
  number: number
  problem: string | undefined
  onHandleDown: ((event: PointerEvent) => void) | undefined
  onChange: (rules: readonly ProfileRule[]) => void
  onOpen: (isNew: boolean) => void
}) {
  const { t } = useTranslation(['profiles', 'rulesets'])
  const full = useFull(rules)
  const [up, down] = [stepped(rules, index, -1), stepped(rules, index, 1)]
  const act = (action: LineAction): void => {
    if (action === 'copy') return onOpen(true)
    onChange((action === 'delete' ? rules.toSpliced(index, 1) : action === 'up' ? up : down) ?? rules)
  }
  return (
    <RuleLine<LineAction>
      rule={rule}
      number={number}
      note={t(rule.place === 'first' ? 'rules.before' : 'rules.after')}
      onHandleDown={onHandleDown}
      refusal={problem}
      items={[
        { action: 'up', icon: IconArrowUp, label: t('rulesets:row.up'), off: up === null ? t('rules.is_first') : null },
        { action: 'down', icon: IconArrowDown, label: t('rulesets:row.down'), off: down === null ? t('rules.is_last') : null },
        { action: 'copy', icon: IconCopy, label: t('rulesets:row.copy'), off: full },
        { action: 'delete', icon: IconTrash, label: t('rulesets:row.delete'), danger: true },
      ]}
      onToggle={() => onChange(rules.with(index, { ...rule, enabled: !rule.enabled }))}
      onEdit={() => onOpen(false)}
      onAction={act}
    />
  )
}

/** How much of the limit of each plan the rules need. */
function Costs({ rules, limits }: Cost) {
  const { t } = useTranslation('profiles')
  return (
    <ul className="flex wrap gap-4-12 size-12 muted numeric">
      {planTiers.map((tier) => {
        const limit = limits[tier]
        if (limit === null) return null
        const isOver = rules > limit
        const words = { used: formatNumber(rules), limit: formatNumber(limit), plan: planNames[tier] }
        return (
          <li key={tier} className={isOver ? 'inline gap-4 warn' : undefined}>
            {isOver ? <IconAlertTriangle size={13} stroke={1.8} aria-hidden /> : null}
            {t(isOver ? 'rules.over' : 'rules.used', words)}
          </li>
        )
      })}
    </ul>
  )
}
