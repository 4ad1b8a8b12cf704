import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RegistrarDetails } from '#client/features/registrars/index.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ErrorBoundary } from '#client/ui/feedback/error-boundary.tsx'
import links from '#client/ui/display/text-link.module.css'

/** A domain's registrar with its state, login and website (R-DOM-10). */
export function RegistrarName({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation('zone')
  const [open, setOpen] = useState(false)
  const { data, isError } = trpc.registrars.ofDomain.useQuery({ id })
  const list = { to: '/registrars', search: { q: name } } as const
  if (isError && data === undefined)
    return (
      <Link {...list} className={`underlined ${links['link']}`}>
        <bdi>{name}</bdi>
      </Link>
    )
  return (
    <>
      <button type="button" className={`underlined ${links['link']}`} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <bdi>{name}</bdi>
      </button>
      {open && data?.registrar != null ? (
        <ErrorBoundary onFail={() => setOpen(false)}>
          <Suspense>
            <RegistrarDetails registrar={data.registrar} onClose={() => setOpen(false)}>
              <Link {...list} className={`hover-underline ${links['way']}`}>
                {t('registrar.in_list')}
              </Link>
            </RegistrarDetails>
          </Suspense>
        </ErrorBoundary>
      ) : null}
    </>
  )
}
