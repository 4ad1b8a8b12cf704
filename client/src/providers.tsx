import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient } from './lib/query-client.ts'
import { trpc, trpcHooksClient } from './lib/trpc.ts'
// Style sheets of the Mantine components on the first screen; the rest load with the panel.
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/Button.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Loader.layer.css'
import '@mantine/core/styles/ActionIcon.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'
import { colorScheme, cssVariables, themeFor } from './theme/theme.ts'

/** The providers of every screen, including the error page of the router. */
export function Providers({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const close = t('close')
  const theme = useMemo(() => themeFor(close), [close])
  return (
    <MantineProvider
      theme={theme}
      colorSchemeManager={colorScheme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="dark"
      deduplicateCssVariables={false}
      withGlobalClasses={false}
    >
      <trpc.Provider client={trpcHooksClient} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
      </trpc.Provider>
    </MantineProvider>
  )
}
