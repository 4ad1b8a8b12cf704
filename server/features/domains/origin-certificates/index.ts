export { refreshOriginCertificates } from './list-certificates.ts'
export { originKeyContext } from './origin-certificate-view.ts'
