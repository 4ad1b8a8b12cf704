import { Button } from '@mantine/core'
import { IconAlertTriangle, IconArrowDown, IconArrowUp, IconCopy, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { planNames, RuleLine, usePhaseWords } from '#client/features/domains/index.ts'
import { planTiers, rulePhases, type RulePhase } from '#shared/features/domains/rulesets/phases.ts'
import { mostProfileRules, ruleCosts } from '#shared/features/profiles/rules.ts'
import type { ProfileRule } from '#shared/features/profiles/schema.ts'
import type { ProfileVariable } from '#shared/features/profiles/variables.ts'
import { formatNumber } from '#client/lib/format.ts'
import { lateDialog } from '#client/ui/overlay/layer.tsx'
import { MenuButton } from '#client/ui/overlay/popup-button.tsx'
import { inOrder, newKey, stepped } from './rule-order.ts'
import classes from './profiles.module.css'

const ProfileRuleDialog = lateDialog(async () => (await import('./profile-rule-dialog.tsx')).ProfileRuleDialog)

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
        <section key={cost.phase} className="border radius-8" aria-label={phaseWords(cost.phase).name}>
          <header className={`flex wrap baseline between gap-4-16 ${classes['phase']}`}>
            <h4>{phaseWords(cost.phase).name}</h4>
            <Costs {...cost} />
          </header>
          <ol className="line-top">
            {rules.map((rule, index) =>
              rule.phase === cost.phase ? (
                <Line
                  key={rule.key}
                  rules={rules}
                  index={index}
                  rule={rule}
                  number={index - rules.findIndex(({ phase }) => phase === cost.phase) + 1}
                  problem={problemOf(index)}
                  onChange={onChange}
                  onOpen={(isNew) => setOpened({ phase: rule.phase, rule, isNew })}
                />
              ) : null,
            )}
          </ol>
        </section>
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

type LineAction = 'up' | 'down' | 'copy' | 'delete'

function Line({
  rules,
  index,
  rule,
  number,
  problem,
  onChange,
  onOpen,
}: {
  rules: readonly ProfileRule[]
  index: number
  rule: ProfileRule
  number: number
  problem: string | undefined
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
function Costs({ rules, limits }: ReturnType<typeof ruleCosts>[number]) {
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
