import type { CreateZoneInput } from '#shared/features/domains/creation/schema.ts'
import type { Profile } from '#shared/features/profiles/schema.ts'

type Given = Pick<CreateZoneInput, 'sslMode' | 'alwaysHttps' | 'profileId'>

/** The settings of a new domain before its profile is applied. */
export const firstSettings = ({ sslMode = 'flexible', alwaysHttps = true }: Given) => ({ ssl: sslMode, alwaysUseHttps: alwaysHttps })

/** A profile as it applies to a new domain: values that the caller has given win over the default profile, but not over a chosen one. */
export function profileOfNew<P extends Pick<Profile, 'settings'>>({ sslMode, alwaysHttps, profileId }: Given, profile: P): P {
  if (profileId !== undefined) return profile
  const { ssl, alwaysUseHttps, ...settings } = profile.settings
  return {
    ...profile,
    settings: {
      ...settings,
      ...(sslMode === undefined && ssl !== undefined && { ssl }),
      ...(alwaysHttps === undefined && alwaysUseHttps !== undefined && { alwaysUseHttps }),
    },
  }
}
