import { ActionIcon } from '@mantine/core'
import { IconMenu2, IconQuestionMark, IconSearch } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { NotificationBell } from '#client/features/notifications/index.ts'
import { trpc } from '#client/lib/trpc.ts'
import { Kbd, modKey } from '#client/ui/display/kbd.tsx'
import { LanguageSwitch } from '#client/ui/layout/language-switch.tsx'
import { ThemeToggle } from '#client/ui/layout/theme-toggle.tsx'
import { setSidebarOpen, sidebar } from './sidebar-state.ts'
import { UserMenu } from './user-menu.tsx'
import classes from './header.module.css'

export function Header({ onSearch, onHelp }: { onSearch: () => void; onHelp: () => void }) {
  const { t } = useTranslation('shell')
  const { open } = sidebar.use()
  const utils = trpc.useUtils()
  // Silently: the page already uses the language.
  const update = trpc.me.update.useMutation({ meta: { failure: false }, onSuccess: (answer) => utils.me.get.setData(undefined, answer) })
  return (
    <header className={`row gap-12 between line-bottom ${classes['header']}`}>
      <ActionIcon
        className={classes['menu'] ?? ''}
        size={36}
        aria-label={t('sidebar.open')}
        aria-expanded={open}
        aria-controls="sidebar"
        onClick={() => setSidebarOpen(true)}
      >
        <IconMenu2 size={18} />
      </ActionIcon>
      <button type="button" className={classes['search']} onClick={onSearch} aria-keyshortcuts="Control+K Meta+K">
        <IconSearch size={14} stroke={1.8} />
        <span className="cut grow text-start">{t('palette.open')}</span>
        <Kbd>{modKey} K</Kbd>
      </button>
      <div className="row gap-4">
        <NotificationBell />
        <LanguageSwitch onChoose={(language) => update.mutate({ language })} />
        <ThemeToggle />
        <ActionIcon className={classes['help'] ?? ''} aria-label={t('shortcuts.title')} title={t('shortcuts.title')} onClick={onHelp}>
          <IconQuestionMark size={16} stroke={1.7} />
        </ActionIcon>
        <UserMenu />
      </div>
    </header>
  )
}
