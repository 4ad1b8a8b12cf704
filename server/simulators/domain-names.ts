import { domainToASCII } from 'node:url'

import { between, pick, pickWeighted } from './random.ts'
import type { Random } from './random.ts'

const FIRST = [
  'best',
  'top',
  'fast',
  'smart',
  'easy',
  'daily',
  'pure',
  'prime',
  'mega',
  'super',
  'true',
  'fresh',
  'gold',
  'lucky',
  'nova',
  'urban',
  'vital',
  'bright',
  'clean',
  'happy',
  'royal',
  'secret',
  'simple',
  'strong',
  'alpha',
  'eco',
  'first',
  'global',
  'healthy',
  'instant',
  'live',
  'modern',
  'new',
  'online',
  'perfect',
  'quick',
  'real',
  'safe',
  'total',
  'wild',
] as const
const MIDDLE = [
  'keto',
  'crypto',
  'casino',
  'slim',
  'loan',
  'credit',
  'dating',
  'bonus',
  'forex',
  'vpn',
  'poker',
  'betting',
  'detox',
  'skin',
  'hair',
  'travel',
  'hosting',
  'review',
  'coupon',
  'deal',
  'insurance',
  'solar',
  'garden',
  'fitness',
  'recipe',
  'phone',
  'laptop',
  'gaming',
  'invest',
  'trader',
  'yoga',
  'baby',
  'pet',
  'auto',
  'moto',
  'home',
  'kitchen',
  'coffee',
  'sleep',
  'joint',
  'vision',
  'energy',
  'market',
  'ticket',
  'hotel',
  'flight',
  'lawyer',
  'dental',
  'school',
  'job',
] as const
const LAST = [
  'hub',
  'pro',
  'lab',
  'zone',
  'club',
  'store',
  'guide',
  'blog',
  'expert',
  'offers',
  'shop',
  'now',
  'today',
  'world',
  'portal',
  'center',
  'point',
  'base',
  'tips',
  'news',
  'finder',
  'compare',
  'promo',
  'land',
  'track',
  'click',
  'space',
  'market',
  'team',
  'plus',
  'info',
  'media',
  'group',
  'drive',
  'trend',
  'bay',
  'spot',
  'wave',
  'mind',
  'line',
] as const
const RUSSIAN = [
  'okna',
  'kredit',
  'stavki',
  'zaim',
  'remont',
  'dostavka',
  'kupit',
  'sale',
  'tury',
  'avto',
  'shkola',
  'mebel',
  'zdorovie',
  'diety',
  'kazino',
  'bukmeker',
  'vklad',
  'kvartiry',
  'cvety',
  'yurist',
] as const
const CITIES = ['msk', 'spb', 'ekb', 'kazan', 'nsk', 'sochi', 'ufa', 'perm', 'tver', 'omsk'] as const
const CYRILLIC_FIRST = ['купить', 'лучшие', 'быстрый', 'новые', 'дешёвые', 'выгодный', 'всё', 'наш', 'ваш', 'твой'] as const
const CYRILLIC_LAST = [
  'окна',
  'кредит',
  'ставки',
  'займ',
  'ремонт',
  'авто',
  'мебель',
  'цветы',
  'туры',
  'юрист',
  'бонусы',
  'игры',
  'квартиры',
] as const
const OTHER_SCRIPTS = [
  'münchen-umzug',
  'günstig-kredit',
  'café-bónus',
  'schöne-küche',
  'año-nuevo',
  '日本-旅行',
  '在线-游戏',
  'ελλάδα-νέα',
] as const
const TLDS: readonly (readonly [string, number])[] = [
  ['com', 40],
  ['ru', 14],
  ['xyz', 8],
  ['net', 6],
  ['online', 5],
  ['site', 5],
  ['top', 5],
  ['info', 4],
  ['org', 3],
  ['shop', 3],
  ['store', 2],
  ['pro', 2],
  ['club', 2],
  ['io', 1],
  ['co.uk', 1],
  ['com.br', 1],
  ['de', 1],
]

/** A random registrable name in ASCII form (Punycode if international). May repeat. */
export function makeDomainName(random: Random): string {
  const style = random()
  if (style < 0.02) return internationalName(random)
  if (style < 0.023) return longName(random)
  const tld = pickWeighted(random, TLDS)
  if (tld === 'ru' && random() < 0.7)
    return `${pick(random, RUSSIAN)}-${random() < 0.5 ? pick(random, CITIES) : pick(random, RUSSIAN)}${numberOrNone(random, 0.6)}.ru`
  const glue = random() < 0.35 ? '-' : ''
  return `${pick(random, FIRST)}${glue}${pick(random, MIDDLE)}${glue}${pick(random, LAST)}${numberOrNone(random, 0.3)}.${tld}`
}

function internationalName(random: Random): string {
  if (random() < 0.3) return domainToASCII(`${pick(random, OTHER_SCRIPTS)}${between(random, 1, 9999)}.com`)
  return domainToASCII(
    `${pick(random, CYRILLIC_FIRST)}-${pick(random, CYRILLIC_LAST)}${between(random, 1, 9999)}.${random() < 0.7 ? 'рф' : 'com'}`,
  )
}

/** The maximum length of a label: 63 characters before the dot. */
function longName(random: Random): string {
  let label: string = pick(random, FIRST)
  while (label.length < 63) label += `-${pick(random, MIDDLE)}${between(random, 1, 9999)}`
  return `${label.slice(0, 63).replace(/-$/, '0')}.com`
}

function numberOrNone(random: Random, chance: number): string {
  return random() < chance ? String(between(random, 1, 2026)) : ''
}
