import { ActionIcon, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

export function ThemeToggle() {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const dark = colorScheme === 'dark'
  return (
    <ActionIcon
      aria-label={t(dark ? 'theme.to_light' : 'theme.to_dark')}
      title={t(dark ? 'theme.to_light' : 'theme.to_dark')}
      onClick={() => setColorScheme(dark ? 'light' : 'dark')}
    >
      {dark ? <IconSun size={16} stroke={1.7} /> : <IconMoon size={16} stroke={1.7} />}
    </ActionIcon>
  )
}
