import { lazy } from 'react'
import { loadTexts } from '#client/lib/i18n.ts'

/** The part of the own page where second factors are set up. */
export const TwoFactorSection = lazy(async () => ({
  default: (await Promise.all([import('./two-factor-section.tsx'), loadTexts('two-factor')]))[0].TwoFactorSection,
}))
