import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Certificate } from '#shared/features/domains/settings/schema.ts'
import { counted } from '#client/lib/format.ts'

/** Names, the same in every language. */
const authorities: Record<string, string> = {
  google: 'Google Trust Services',
  lets_encrypt: 'Let’s Encrypt',
  ssl_com: 'SSL.com',
  digicert: 'DigiCert',
}
const types: Record<string, string> = {
  universal: 'Universal',
  advanced: 'Advanced',
  total_tls: 'Total TLS',
  keyless: 'Keyless',
}
const methods: Record<string, string> = { txt: 'TXT', cname: 'CNAME', http: 'HTTP' }

interface CertificateWords {
  state: (certificate: Certificate) => string
  authority: (authority: string | null) => string | null
  type: (type: string) => string
  method: (method: string) => string
  /** ‘61 days left’, or the state if it has no expiry yet. */
  left: (certificate: Certificate, daysLeft: number | null) => string
}

/** Labels of a certificate's values; unknown ones are shown unchanged. */
export function useCertificateWords(): CertificateWords {
  const { t } = useTranslation('security')
  return useMemo((): CertificateWords => {
    const state = (certificate: Certificate): string =>
      certificate.state === 'other' ? certificate.status : t(`certificates.states.${certificate.state}`)
    return {
      state,
      authority: (authority) => (authority === null ? null : (authorities[authority] ?? authority)),
      type: (type) => types[type] ?? (type.endsWith('custom') ? t('certificates.own') : type),
      method: (method) => methods[method] ?? (method === 'email' ? t('certificates.by_email') : method),
      left: (certificate, days) => {
        if (days === null) return state(certificate)
        if (days < 0) return t('certificates.ago', counted(-days))
        return t('certificates.left', counted(days))
      },
    }
  }, [t])
}
