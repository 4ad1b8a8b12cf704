import { useState } from 'react'
import { warningsOf, type SecurityState, type SettingsWarning } from '#shared/features/domains/settings/rules.ts'
import type { SettingsPatch } from '#shared/features/domains/settings/schema.ts'

/** The confirmation of a dangerous change. */
export interface Question {
  warnings: readonly SettingsWarning[]
  accept: () => void
  refuse: () => void
}

/** Runs a change, or asks for confirmation first if it would be dangerous. */
export function useQuestion(state: SecurityState): { question: Question | null; ask: (patch: SettingsPatch, run: () => void) => void } {
  const [open, setOpen] = useState<{ warnings: readonly SettingsWarning[]; run: () => void } | null>(null)
  return {
    question: open && {
      warnings: open.warnings,
      accept: () => {
        setOpen(null)
        open.run()
      },
      refuse: () => setOpen(null),
    },
    ask: (patch, run) => {
      const warnings = warningsOf(state, patch)
      setOpen(warnings.length === 0 ? null : { warnings, run })
      if (warnings.length === 0) run()
    },
  }
}
