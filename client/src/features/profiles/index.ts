import { lazyPart } from '#client/lib/lazy-part.tsx'

/** The profile components for other features; code and texts are loaded when first shown. */
export const CreateProfile = lazyPart(
  async () => (await import('./profile-dialog.tsx')).ProfileDialog,
  'profiles',
  'security',
  'records',
  'rulesets',
  'rule-names',
)

export const ProfileValues = lazyPart(async () => (await import('./profile-values-dialog.tsx')).ProfileValuesDialog, 'profiles')
