import { useTranslation } from 'react-i18next'
import { trpc } from '#client/lib/trpc.ts'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { FormSection } from '#client/ui/form/form-section.tsx'
import { FactorList, FactorsLoading } from './factor-list.tsx'

/** The second factors on the profile page: TOTP, passkeys, recovery codes. */
export function TwoFactorSection() {
  const { t } = useTranslation('two-factor')
  const factors = trpc.twoFactor.get.useQuery(undefined, { staleTime: 0 })
  return (
    <FormSection title={t('title')} text={t('text')}>
      {factors.data !== undefined ? (
        <FactorList factors={factors.data} />
      ) : factors.isError ? (
        <ErrorState title={t('failed_load')} error={factors.error} onRetry={() => void factors.refetch()} />
      ) : (
        <FactorsLoading />
      )}
    </FormSection>
  )
}
