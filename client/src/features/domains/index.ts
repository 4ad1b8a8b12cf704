/** What other features need to show and to add domains. */
export { AccountOrder } from './creation/account-order.tsx'
export { AddFields, newDomain, type NewDomain } from './creation/add-fields.tsx'
export { useManagedAccounts, useOurs } from './creation/queries.ts'
export { startAddingMany } from './creation/many-draft.ts'
export { usePastedFaults } from './creation/use-pasted-faults.ts'
export { statusTone } from './use-domain-words.ts'

/** The words and the parts of the history. */
export { LateEntryList, LateRevertDialog } from './history/late-parts.ts'
export { useChangeWords } from './history/use-change-words.ts'
export { parameterLines } from './history/parameter-lines.ts'

/** The record components for other features. They require the `records` texts. */
export { inputOf } from './records/record-draft.ts'
export { useTtlWords } from './records/use-ttl-words.ts'
export { firstRow, filledRows, rowOf, type RecordRow } from './records/record-rows.ts'
export { RecordFields } from './records/record-fields.tsx'

/** The rule components for other features. They require the `rulesets` and `rule-names` texts. */
export { RuleForm } from './rulesets/rule-form.tsx'
export { useRuleForm } from './rulesets/use-rule-form.ts'
export { RuleLine } from './rulesets/rule-line.tsx'
export { planNames, usePhaseWords } from './rulesets/use-rule-words.ts'

/** IP access for other features. It requires the `ip-access` texts. */
export { IpAccessFields, IpAccessValuesField } from './ip-access/ip-access-fields.tsx'
export { emptyDraft, isComplete, readIpAccess, secondsOf } from './ip-access/ip-access-draft.ts'
export { LateIpAccess } from './ip-access/late-ip-access.ts'

/** The settings components for other features. They require the `security` texts. */
export { SettingFields } from './settings/setting-fields.tsx'
export { useSettingWords, type SettingWords } from './settings/use-setting-words.ts'
