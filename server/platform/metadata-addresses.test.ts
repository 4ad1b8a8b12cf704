import { expect, test } from 'vitest'
import { AppError } from '#shared/errors/app-error.ts'
import { rejectMetadataAddress } from './metadata-addresses.ts'

const issuesOf = (url: string) => {
  try {
    rejectMetadataAddress(url, 'url')
    return []
  } catch (error) {
    return error instanceof AppError ? error.issues : error
  }
}

test.each([
  'http://169.254.169.254/x',
  'http://169.254.169.254./x',
  'https://169.254.1.1:8443/',
  'http://168.63.129.16/',
  'http://100.100.100.200/',
  'http://192.0.0.192/',
  'http://[fd00:ec2::254]/',
  'http://[fe80::1]/',
  'http://[febf::1]/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0xa9.254.0251.254/',
  'http://0251.0376.0251.0376/',
  'http://169.16689662/',
  'http://１６９.２５４.１６９.２５４/',
  'http://user@169.254.169.254/',
  'http://[::ffff:169.254.169.254]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[::169.254.169.254]/',
  'http://[64:ff9b::169.254.169.254]/',
  'http://[64:ff9b:1::1]/',
  'http://[2002:a9fe:a9fe::]/',
])('%s names a metadata service or a link-local address', (url) => {
  expect(issuesOf(url)).toEqual([{ path: 'url', message: 'metadata_address' }])
})

test.each([
  'https://169.254.169.254.example/',
  'https://metadata.example/',
  'http://169.253.1.1/',
  'http://10.0.0.1/',
  'http://127.0.0.1:4010/',
  'http://[::1]/',
  'http://[fd00:ec3::1]/',
  'http://[64:ff9b::8.8.8.8]/',
  'https://user:169.254.169.254@hook.example/169.254.169.254',
])('%s names another address', (url) => {
  expect(issuesOf(url)).toEqual([])
})
