import { IconLogout, IconRocket, IconUserCircle } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { auth, clearAuth } from '#client/lib/auth.ts'
import { queryClient } from '#client/lib/query-client.ts'
import { trpc } from '#client/lib/trpc.ts'
import { MenuButton } from '#client/ui/overlay/popup-button.tsx'
import classes from './user-menu.module.css'

export function UserMenu() {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const { user } = auth.use()
  // Signs this browser out even if the server could not end the session.
  const logout = trpc.auth.logout.useMutation({ meta: { failure: false } })

  const leave = async (): Promise<void> => {
    await logout.mutateAsync().catch(() => undefined)
    clearAuth()
    queryClient.clear()
    await navigate({ to: '/login' })
  }

  if (!user) return null
  const name = user.name?.trim() || t('user.no_name')
  return (
    <MenuButton
      position="bottom-end"
      width={240}
      button={
        <button type="button" className={classes['button']} aria-label={t('user.menu')} title={name}>
          {initialOf(user.name?.trim() || user.email)}
        </button>
      }
    >
      {(Menu) => (
        <>
          <div className={`column shrink ${classes['who']}`}>
            <strong className={`clip size-13 semibold ${classes['name']}`}>{name}</strong>
            <span className={`clip size-12 secondary ${classes['email']}`}>{user.email}</span>
            <span className="size-12 muted mt-4">{t(`user.${user.role}`)}</span>
          </div>
          <Menu.Divider />
          <Menu.Item component={Link} to="/me" leftSection={<IconUserCircle size={15} stroke={1.7} />}>
            {t('user.me')}
          </Menu.Item>
          <Menu.Item component={Link} to="/welcome" leftSection={<IconRocket size={15} stroke={1.7} />}>
            {t('user.welcome')}
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout size={15} stroke={1.7} />} onClick={() => void leave()}>
            {t('user.logout')}
          </Menu.Item>
        </>
      )}
    </MenuButton>
  )
}

/** The first grapheme: a letter with its combining marks, or a whole emoji. */
function initialOf(name: string): string {
  // Intl.Segmenter would cover every case, but costs the first page some 40 ms.
  const [first] = /^.\p{M}*/u.exec(name) ?? []
  return (first ?? '?').toUpperCase()
}
