import 'dayjs/locale/ru'
import '@mantine/dates/styles.layer.css'
import { localeOf } from '#shared/i18n/languages.ts'
import { language } from '#client/lib/i18n.ts'

/** What every calendar has in common: the language's names and first day of the week. */
export const calendar = () => ({ locale: language(), firstDayOfWeek: localeOf[language()].firstDayOfWeek, weekendDays: [] })
