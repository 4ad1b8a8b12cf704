// Written by extract.ts: part of the package cloudflare 7.3.0, unchanged. Apache License 2.0, see LICENSE.

export declare namespace accounts_accounts {
  export interface Account {
    id: string
    name: string
    type: 'standard' | 'enterprise'
    created_on?: string
    managed_by?: Account.ManagedBy
    settings?: Account.Settings
  }
  export namespace Account {
    interface ManagedBy {
      parent_org_id?: string
      parent_org_name?: string
    }
    interface Settings {
      abuse_contact_email?: string
      enforce_twofactor?: boolean
    }
  }
}
export declare namespace accounts_members {
  export type Status = 'member' | 'invited'
}
export declare namespace dns_records {
  export type RecordResponse =
    | RecordResponse.ARecord
    | RecordResponse.AAAARecord
    | RecordResponse.CNAMERecord
    | RecordResponse.MXRecord
    | RecordResponse.NSRecord
    | RecordResponse.OpenpgpkeyRecord
    | RecordResponse.PTRRecord
    | RecordResponse.TXTRecord
    | RecordResponse.CAARecord
    | RecordResponse.CERTRecord
    | RecordResponse.DNSKEYRecord
    | RecordResponse.DSRecord
    | RecordResponse.HTTPSRecord
    | RecordResponse.LOCRecord
    | RecordResponse.NAPTRRecord
    | RecordResponse.SMIMEARecord
    | RecordResponse.SRVRecord
    | RecordResponse.SSHFPRecord
    | RecordResponse.SVCBRecord
    | RecordResponse.TLSARecord
    | RecordResponse.URIRecord
  export namespace RecordResponse {
    interface ARecord extends dns_records.ARecord {
      id: string
      created_on: string
      meta: ARecord.Meta
      modified_on: string
      proxiable: boolean
      comment_modified_on?: string
      tags_modified_on?: string
    }
    namespace ARecord {
      interface Meta {
        dead_glue?: boolean
        is_glue?: boolean
        shadowed_by?: Array<string>
        shadowed_records_count?: number
      }
    }
    interface AAAARecord extends dns_records.AAAARecord {
      id: string
      created_on: string
      meta: AAAARecord.Meta
      modified_on: string
      proxiable: boolean
      comment_modified_on?: string
      tags_modified_on?: string
    }
    namespace AAAARecord {
      interface Meta {
        dead_glue?: boolean
        is_glue?: boolean
        shadowed_by?: Array<string>
        shadowed_records_count?: number
      }
    }
    interface CNAMERecord extends dns_records.CNAMERecord {
      id: string
      created_on: string
      meta: CNAMERecord.Meta
      modified_on: string
      proxiable: boolean
      comment_modified_on?: string
      tags_modified_on?: string
    }
    namespace CNAMERecord {
      interface Meta {
        dead_glue?: boolean
        is_glue?: boolean
        shadowed_by?: Array<string>
        shadowed_records_count?: number
      }
    }
    interface MXRecord extends dns_records.MXRecord {
      id: string
      created_on: string
      meta: MXRecord.Meta
      modified_on: string
      proxiable: boolean
      comment_modified_on?: string
      tags_modified_on?: string
    }
    namespace MXRecord {
      interface Meta {
        dead_glue?: boolean
        is_glue?: boolean
        shadowed_by?: Array<string>
        shadowed_records_count?: number
      }
    }
    interface NSRecord extends dns_records.NSRecord {
      id: string
      created_on: string
      meta: NSRecord.Meta
      modified_on: string
      proxiable: boolean
      comment_modified_on?: string
      tags_modified_on?: string
    }
    namespace NSRecord {
      interface Meta {
        dead_glue?: boolean
        is_glue?: boolean
        shadowed_by?: Array<string>
        shadowed_records_count?: number
      }
    }
    interface OpenpgpkeyRecord {
      id: string
      comment: string
      content: string
      created_on: string
      meta: OpenpgpkeyRecord.Meta
      modified_on: string
      name: string
      proxiable: boolean
      proxied: boolean
      settings: OpenpgpkeyRecord.Settings
      tags: Array<dns_records.RecordTags>
      ttl: dns_records.TTL
      type: 'OPENPGPKEY'
      comment_modified_on?: string
      tags_modified_on?: string
    }
    namespace OpenpgpkeyRecord {
      interface Meta {
        dead_glue?: boolean
        is_glue?: boolean
        shadowed_by?: Array<string>
        shadowed_records_count?: number
      }
      interface Settings {
        ipv4_only?: boolean
        ipv6_only?: boolean
      }
    }
    interface PTRRecord extends dns_records.PTRRecord {
      id: string
      created_on: string
      meta: PTRRecord.Meta
      modified_on: string
      proxiable: boolean
      comment_modified_on?: string
      tags_modified_on?: string
    }
    namespace PTRRecord {
      interface Meta {
        dead_glue?: boolean
        is_glue?: boolean
        shadowed_by?: Array<string>
        shadowed_records_count?: number
      }
    }
    interface TXTRecord extends dns_records.TXTRecord {
      id: string
      created_on: string
      meta: TXTRecord.Meta
      modified_on: string
      proxiable: boolean
      comment_modified_on?: string
      tags_modified_on?: string
    }
    namespace TXTRecord {
      interface Meta {
        dead_glue?: boolean
        is_glue?: boolean
        shadowed_by?: Array<string>
        shadowed_records_count?: number
      }
    }
    interface CAARecord extends dns_records.CAARecord {
      id: string
      created_on: string
      meta: CAARecord.Meta
      modified_on: string
      proxiable: boolean
      comment_modified_on?: string
      tags_modified_on?: string
    }
    namespace CAARecord {
      interface Meta {
        dead_glue?: boolean
        is_glue?: boolean
        shadowed_by?: Array<string>
        shadowed_records_count?: number
      }
    }
    interface CERTRecord extends dns_records.CERTRecord {
      id: string
      created_on: string
      meta: CERTRecord.Meta
      modified_on: string
      proxiable: boolean
      comment_modified_on?: string
      tags_modified_on?: string
    }
    namespace CERTRecord {
      interface Meta {
        dead_glue?: boolean
        is_glue?: boolean
        shadowed_by?: Array<string>
        shadowed_records_count?: number
      }
    }
    interface DNSKEYRecord extends dns_records.DNSKEYRecord {
      id: string
      created_on: string
      meta: DNSKEYRecord.Meta
      modified_on: string
      proxiable: boolean
      comment_modified_on?: string
      tags_modified_on?: string
    }
    namespace DNSKEYRecord {
      interface Meta {
        dead_glue?: boolean
        is_glue?: boolean
        shadowed_by?: Array<string>
        shadowed_records_count?: number
      }
    }
    interface DSRecord extends dns_records.DSRecord {
      id: string
      created_on: string
      meta: DSRecord.Meta
      modified_on: string
      proxiable: boolean
      comment_modified_on?: string
      tags_modified_on?: string
    }
    namespace DSRecord {
      interface Meta {
        dead_glue?: boolean
        is_glue?: boolean
        shadowed_by?: Array<string>
        shadowed_records_count?: number
      }
    }
    interface HTTPSRecord extends dns_records.HTTPSRecord {
      id: string
      created_on: string
      meta: HTTPSRecord.Meta
      modified_on: string
      proxiable: boolean
      comment_modified_on?: string
      tags_modified_on?: string
    }
    namespace HTTPSRecord {
      interface Meta {
        dead_glue?: boolean
        is_glue?: boolean
        shadowed_by?: Array<string>
        shadowed_records_count?: number
      }
    }
    interface LOCRecord extends dns_records.LOCRecord {
      id: string
      created_on: string
      meta: LOCRecord.Meta
      modified_on: string
      proxiable: boolean
      comment_modified_on?: string
      tags_modified_on?: string
    }
    namespace LOCRecord {
      interface Meta {
        dead_glue?: boolean
        is_glue?: boolean
        shadowed_by?: Array<string>
        shadowed_records_count?: number
      }
    }
    interface NAPTRRecord extends dns_records.NAPTRRecord {
      id: string
      created_on: string
      meta: NAPTRRecord.Meta
      modified_on: string
      proxiable: boolean
      comment_modified_on?: string
      tags_modified_on?: string
    }
    namespace NAPTRRecord {
      interface Meta {
        dead_glue?: boolean
        is_glue?: boolean
        shadowed_by?: Array<string>
        shadowed_records_count?: number
      }
    }
    interface SMIMEARecord extends dns_records.SMIMEARecord {
      id: string
      created_on: string
      meta: SMIMEARecord.Meta
      modified_on: string
      proxiable: boolean
      comment_modified_on?: string
      tags_modified_on?: string
    }
    namespace SMIMEARecord {
      interface Meta {
        dead_glue?: boolean
        is_glue?: boolean
        shadowed_by?: Array<string>
        shadowed_records_count?: number
      }
    }
    interface SRVRecord extends dns_records.SRVRecord {
      id: string
      created_on: string
      meta: SRVRecord.Meta
      modified_on: string
      proxiable: boolean
      comment_modified_on?: string
      tags_modified_on?: string
    }
    namespace SRVRecord {
      interface Meta {
        dead_glue?: boolean
        is_glue?: boolean
        shadowed_by?: Array<string>
        shadowed_records_count?: number
      }
    }
    interface SSHFPRecord extends dns_records.SSHFPRecord {
      id: string
      created_on: string
      meta: SSHFPRecord.Meta
      modified_on: string
      proxiable: boolean
      comment_modified_on?: string
      tags_modified_on?: string
    }
    namespace SSHFPRecord {
      interface Meta {
        dead_glue?: boolean
        is_glue?: boolean
        shadowed_by?: Array<string>
        shadowed_records_count?: number
      }
    }
    interface SVCBRecord extends dns_records.SVCBRecord {
      id: string
      created_on: string
      meta: SVCBRecord.Meta
      modified_on: string
      proxiable: boolean
      comment_modified_on?: string
      tags_modified_on?: string
    }
    namespace SVCBRecord {
      interface Meta {
        dead_glue?: boolean
        is_glue?: boolean
        shadowed_by?: Array<string>
        shadowed_records_count?: number
      }
    }
    interface TLSARecord extends dns_records.TLSARecord {
      id: string
      created_on: string
      meta: TLSARecord.Meta
      modified_on: string
      proxiable: boolean
      comment_modified_on?: string
      tags_modified_on?: string
    }
    namespace TLSARecord {
      interface Meta {
        dead_glue?: boolean
        is_glue?: boolean
        shadowed_by?: Array<string>
        shadowed_records_count?: number
      }
    }
    interface URIRecord extends dns_records.URIRecord {
      id: string
      created_on: string
      meta: URIRecord.Meta
      modified_on: string
      proxiable: boolean
      comment_modified_on?: string
      tags_modified_on?: string
    }
    namespace URIRecord {
      interface Meta {
        dead_glue?: boolean
        is_glue?: boolean
        shadowed_by?: Array<string>
        shadowed_records_count?: number
      }
    }
  }
  export interface URIRecord {
    name: string
    ttl: TTL
    type: 'URI'
    comment?: string
    content?: string
    data?: URIRecord.Data
    priority?: number
    proxied?: boolean
    settings?: URIRecord.Settings
    tags?: Array<RecordTags>
  }
  export namespace URIRecord {
    interface Data {
      target?: string
      weight?: number
    }
    interface Settings {
      ipv4_only?: boolean
      ipv6_only?: boolean
    }
  }
  export type RecordTags = string
  export type TTL = number | 1
  export interface TLSARecord {
    name: string
    ttl: TTL
    type: 'TLSA'
    comment?: string
    content?: string
    data?: TLSARecord.Data
    proxied?: boolean
    settings?: TLSARecord.Settings
    tags?: Array<RecordTags>
  }
  export namespace TLSARecord {
    interface Data {
      certificate?: string
      matching_type?: number
      selector?: number
      usage?: number
    }
    interface Settings {
      ipv4_only?: boolean
      ipv6_only?: boolean
    }
  }
  export interface SVCBRecord {
    name: string
    ttl: TTL
    type: 'SVCB'
    comment?: string
    content?: string
    data?: SVCBRecord.Data
    proxied?: boolean
    settings?: SVCBRecord.Settings
    tags?: Array<RecordTags>
  }
  export namespace SVCBRecord {
    interface Data {
      priority?: number
      target?: string
      value?: string
    }
    interface Settings {
      ipv4_only?: boolean
      ipv6_only?: boolean
    }
  }
  export interface SSHFPRecord {
    name: string
    ttl: TTL
    type: 'SSHFP'
    comment?: string
    content?: string
    data?: SSHFPRecord.Data
    proxied?: boolean
    settings?: SSHFPRecord.Settings
    tags?: Array<RecordTags>
  }
  export namespace SSHFPRecord {
    interface Data {
      algorithm?: number
      fingerprint?: string
      type?: number
    }
    interface Settings {
      ipv4_only?: boolean
      ipv6_only?: boolean
    }
  }
  export interface SRVRecord {
    name: string
    ttl: TTL
    type: 'SRV'
    comment?: string
    content?: string
    data?: SRVRecord.Data
    proxied?: boolean
    settings?: SRVRecord.Settings
    tags?: Array<RecordTags>
  }
  export namespace SRVRecord {
    interface Data {
      port?: number
      priority?: number
      target?: string
      weight?: number
    }
    interface Settings {
      ipv4_only?: boolean
      ipv6_only?: boolean
    }
  }
  export interface SMIMEARecord {
    name: string
    ttl: TTL
    type: 'SMIMEA'
    comment?: string
    content?: string
    data?: SMIMEARecord.Data
    proxied?: boolean
    settings?: SMIMEARecord.Settings
    tags?: Array<RecordTags>
  }
  export namespace SMIMEARecord {
    interface Data {
      certificate?: string
      matching_type?: number
      selector?: number
      usage?: number
    }
    interface Settings {
      ipv4_only?: boolean
      ipv6_only?: boolean
    }
  }
  export interface NAPTRRecord {
    name: string
    ttl: TTL
    type: 'NAPTR'
    comment?: string
    content?: string
    data?: NAPTRRecord.Data
    proxied?: boolean
    settings?: NAPTRRecord.Settings
    tags?: Array<RecordTags>
  }
  export namespace NAPTRRecord {
    interface Data {
      flags?: string
      order?: number
      preference?: number
      regex?: string
      replacement?: string
      service?: string
    }
    interface Settings {
      ipv4_only?: boolean
      ipv6_only?: boolean
    }
  }
  export interface LOCRecord {
    name: string
    ttl: TTL
    type: 'LOC'
    comment?: string
    content?: string
    data?: LOCRecord.Data
    proxied?: boolean
    settings?: LOCRecord.Settings
    tags?: Array<RecordTags>
  }
  export namespace LOCRecord {
    interface Data {
      altitude?: number
      lat_degrees?: number
      lat_direction?: 'N' | 'S'
      lat_minutes?: number
      lat_seconds?: number
      long_degrees?: number
      long_direction?: 'E' | 'W'
      long_minutes?: number
      long_seconds?: number
      precision_horz?: number
      precision_vert?: number
      size?: number
    }
    interface Settings {
      ipv4_only?: boolean
      ipv6_only?: boolean
    }
  }
  export interface HTTPSRecord {
    name: string
    ttl: TTL
    type: 'HTTPS'
    comment?: string
    content?: string
    data?: HTTPSRecord.Data
    proxied?: boolean
    settings?: HTTPSRecord.Settings
    tags?: Array<RecordTags>
  }
  export namespace HTTPSRecord {
    interface Data {
      priority?: number
      target?: string
      value?: string
    }
    interface Settings {
      ipv4_only?: boolean
      ipv6_only?: boolean
    }
  }
  export interface DSRecord {
    name: string
    ttl: TTL
    type: 'DS'
    comment?: string
    content?: string
    data?: DSRecord.Data
    proxied?: boolean
    settings?: DSRecord.Settings
    tags?: Array<RecordTags>
  }
  export namespace DSRecord {
    interface Data {
      algorithm?: number
      digest?: string
      digest_type?: number
      key_tag?: number
    }
    interface Settings {
      ipv4_only?: boolean
      ipv6_only?: boolean
    }
  }
  export interface DNSKEYRecord {
    name: string
    ttl: TTL
    type: 'DNSKEY'
    comment?: string
    content?: string
    data?: DNSKEYRecord.Data
    proxied?: boolean
    settings?: DNSKEYRecord.Settings
    tags?: Array<RecordTags>
  }
  export namespace DNSKEYRecord {
    interface Data {
      algorithm?: number
      flags?: number
      protocol?: number
      public_key?: string
    }
    interface Settings {
      ipv4_only?: boolean
      ipv6_only?: boolean
    }
  }
  export interface CERTRecord {
    name: string
    ttl: TTL
    type: 'CERT'
    comment?: string
    content?: string
    data?: CERTRecord.Data
    proxied?: boolean
    settings?: CERTRecord.Settings
    tags?: Array<RecordTags>
  }
  export namespace CERTRecord {
    interface Data {
      algorithm?: number
      certificate?: string
      key_tag?: number
      type?: number
    }
    interface Settings {
      ipv4_only?: boolean
      ipv6_only?: boolean
    }
  }
  export interface CAARecord {
    name: string
    ttl: TTL
    type: 'CAA'
    comment?: string
    content?: string
    data?: CAARecord.Data
    proxied?: boolean
    settings?: CAARecord.Settings
    tags?: Array<RecordTags>
  }
  export namespace CAARecord {
    interface Data {
      flags?: number
      tag?: string
      value?: string
    }
    interface Settings {
      ipv4_only?: boolean
      ipv6_only?: boolean
    }
  }
  export interface TXTRecord {
    name: string
    ttl: TTL
    type: 'TXT'
    comment?: string
    content?: string
    proxied?: boolean
    settings?: TXTRecord.Settings
    tags?: Array<RecordTags>
  }
  export namespace TXTRecord {
    interface Settings {
      ipv4_only?: boolean
      ipv6_only?: boolean
    }
  }
  export interface PTRRecord {
    name: string
    ttl: TTL
    type: 'PTR'
    comment?: string
    content?: string
    proxied?: boolean
    settings?: PTRRecord.Settings
    tags?: Array<RecordTags>
  }
  export namespace PTRRecord {
    interface Settings {
      ipv4_only?: boolean
      ipv6_only?: boolean
    }
  }
  export interface NSRecord {
    name: string
    ttl: TTL
    type: 'NS'
    comment?: string
    content?: string
    proxied?: boolean
    settings?: NSRecord.Settings
    tags?: Array<RecordTags>
  }
  export namespace NSRecord {
    interface Settings {
      ipv4_only?: boolean
      ipv6_only?: boolean
    }
  }
  export interface MXRecord {
    name: string
    ttl: TTL
    type: 'MX'
    comment?: string
    content?: string
    priority?: number
    proxied?: boolean
    settings?: MXRecord.Settings
    tags?: Array<RecordTags>
  }
  export namespace MXRecord {
    interface Settings {
      ipv4_only?: boolean
      ipv6_only?: boolean
    }
  }
  export interface CNAMERecord {
    name: string
    ttl: TTL
    type: 'CNAME'
    comment?: string
    content?: string
    proxied?: boolean
    settings?: CNAMERecord.Settings
    tags?: Array<RecordTags>
  }
  export namespace CNAMERecord {
    interface Settings {
      flatten_cname?: boolean
      ipv4_only?: boolean
      ipv6_only?: boolean
    }
  }
  export interface AAAARecord {
    name: string
    ttl: TTL
    type: 'AAAA'
    comment?: string
    content?: string
    private_routing?: boolean
    proxied?: boolean
    settings?: AAAARecord.Settings
    tags?: Array<RecordTags>
  }
  export namespace AAAARecord {
    interface Settings {
      ipv4_only?: boolean
      ipv6_only?: boolean
    }
  }
  export interface ARecord {
    name: string
    ttl: TTL
    type: 'A'
    comment?: string
    content?: string
    private_routing?: boolean
    proxied?: boolean
    settings?: ARecord.Settings
    tags?: Array<RecordTags>
  }
  export namespace ARecord {
    interface Settings {
      ipv4_only?: boolean
      ipv6_only?: boolean
    }
  }
}
export declare namespace shared {
  export type Permission = string
}
export declare namespace ssl_certificate_packs_certificate_packs {
  export type ValidationMethod = 'http' | 'cname' | 'txt'
  export interface CertificatePackListResponse {
    id: string
    certificates: Array<CertificatePackListResponse.Certificate>
    hosts: Array<Host>
    status: Status
    type: 'mh_custom' | 'managed_hostname' | 'sni_custom' | 'universal' | 'advanced' | 'total_tls' | 'keyless' | 'legacy_custom'
    certificate_authority?: 'google' | 'lets_encrypt' | 'ssl_com'
    cloudflare_branding?: boolean
    dcv_delegation_records?: Array<CertificatePackListResponse.DCVDelegationRecord>
    primary_certificate?: string
    validation_errors?: Array<CertificatePackListResponse.ValidationError>
    validation_method?: 'txt' | 'http' | 'email'
    validation_records?: Array<CertificatePackListResponse.ValidationRecord>
    validity_days?: 14 | 30 | 90 | 365
  }
  export namespace CertificatePackListResponse {
    interface Certificate {
      id: string
      hosts: Array<string>
      status: string
      bundle_method?: string
      expires_on?: string
      geo_restrictions?: Certificate.GeoRestrictions
      issuer?: string
      modified_on?: string
      priority?: number
      signature?: string
      uploaded_on?: string
      zone_id?: string
    }
    namespace Certificate {
      interface GeoRestrictions {
        label?: 'us' | 'eu' | 'highest_security'
      }
    }
    interface DCVDelegationRecord {
      cname?: string
      cname_target?: string
      emails?: Array<string>
      http_body?: string
      http_url?: string
      status?: string
      txt_name?: string
      txt_value?: string
    }
    interface ValidationError {
      message?: string
    }
    interface ValidationRecord {
      cname?: string
      cname_target?: string
      emails?: Array<string>
      http_body?: string
      http_url?: string
      status?: string
      txt_name?: string
      txt_value?: string
    }
  }
  export type Status =
    | 'initializing'
    | 'pending_validation'
    | 'deleted'
    | 'pending_issuance'
    | 'pending_deployment'
    | 'pending_deletion'
    | 'pending_expiration'
    | 'expired'
    | 'active'
    | 'initializing_timed_out'
    | 'validation_timed_out'
    | 'issuance_timed_out'
    | 'deployment_timed_out'
    | 'deletion_timed_out'
    | 'pending_cleanup'
    | 'staging_deployment'
    | 'staging_active'
    | 'deactivating'
    | 'inactive'
    | 'backup_issued'
    | 'holding_deployment'
  export type Host = string
  export interface CertificatePackGetResponse {
    id: string
    certificates: Array<CertificatePackGetResponse.Certificate>
    hosts: Array<Host>
    status: Status
    type: 'mh_custom' | 'managed_hostname' | 'sni_custom' | 'universal' | 'advanced' | 'total_tls' | 'keyless' | 'legacy_custom'
    certificate_authority?: 'google' | 'lets_encrypt' | 'ssl_com'
    cloudflare_branding?: boolean
    dcv_delegation_records?: Array<CertificatePackGetResponse.DCVDelegationRecord>
    primary_certificate?: string
    validation_errors?: Array<CertificatePackGetResponse.ValidationError>
    validation_method?: 'txt' | 'http' | 'email'
    validation_records?: Array<CertificatePackGetResponse.ValidationRecord>
    validity_days?: 14 | 30 | 90 | 365
  }
  export namespace CertificatePackGetResponse {
    interface Certificate {
      id: string
      hosts: Array<string>
      status: string
      bundle_method?: string
      expires_on?: string
      geo_restrictions?: Certificate.GeoRestrictions
      issuer?: string
      modified_on?: string
      priority?: number
      signature?: string
      uploaded_on?: string
      zone_id?: string
    }
    namespace Certificate {
      interface GeoRestrictions {
        label?: 'us' | 'eu' | 'highest_security'
      }
    }
    interface DCVDelegationRecord {
      cname?: string
      cname_target?: string
      emails?: Array<string>
      http_body?: string
      http_url?: string
      status?: string
      txt_name?: string
      txt_value?: string
    }
    interface ValidationError {
      message?: string
    }
    interface ValidationRecord {
      cname?: string
      cname_target?: string
      emails?: Array<string>
      http_body?: string
      http_url?: string
      status?: string
      txt_name?: string
      txt_value?: string
    }
  }
}
export declare namespace ssl_verification {
  export interface Verification {
    certificate_status: 'initializing' | 'authorizing' | 'active' | 'expired' | 'issuing' | 'timing_out' | 'pending_deployment'
    brand_check?: boolean
    cert_pack_uuid?: string
    signature?: 'ECDSAWithSHA256' | 'SHA1WithRSA' | 'SHA256WithRSA'
    validation_method?: ssl_certificate_packs_certificate_packs.ValidationMethod
    verification_info?: Verification.VerificationInfo
    verification_status?: boolean
    verification_type?: 'cname' | 'meta tag'
  }
  export namespace Verification {
    interface VerificationInfo {
      record_name?: 'record_name' | 'http_url' | 'cname' | 'txt_name'
      record_target?: 'record_value' | 'http_body' | 'cname_target' | 'txt_value'
    }
  }
}
export declare namespace user_organizations {
  export interface Organization {
    id?: string
    name?: string
    permissions?: Array<shared.Permission>
    roles?: Array<string>
    status?: accounts_members.Status
  }
}
export declare namespace user_user {
  export interface UserGetResponse {
    id: string
    email: string
    betas?: Array<string>
    country?: string | null
    first_name?: string | null
    has_business_zones?: boolean
    has_enterprise_zones?: boolean
    has_pro_zones?: boolean
    last_name?: string | null
    organizations?: Array<user_organizations.Organization>
    suspended?: boolean
    telephone?: string | null
    two_factor_authentication_enabled?: boolean
    two_factor_authentication_locked?: boolean
    zipcode?: string | null
  }
}
export declare namespace zones_zones {
  export interface Zone {
    id: string
    account: Zone.Account
    activated_on: string | null
    created_on: string
    development_mode: number
    meta: Zone.Meta
    modified_on: string
    name: string
    name_servers: Array<string>
    original_dnshost: string | null
    original_name_servers: Array<string> | null
    original_registrar: string | null
    owner: Zone.Owner
    plan: Zone.Plan
    cname_suffix?: string
    paused?: boolean
    permissions?: Array<string>
    status?: 'initializing' | 'pending' | 'active' | 'moved'
    tenant?: Zone.Tenant
    tenant_unit?: Zone.TenantUnit
    type?: Type
    vanity_name_servers?: Array<string>
    verification_key?: string
  }
  export namespace Zone {
    interface Account {
      id?: string
      name?: string
    }
    interface Meta {
      cdn_only?: boolean
      custom_certificate_quota?: number
      dns_only?: boolean
      foundation_dns?: boolean
      page_rule_quota?: number
      phishing_detected?: boolean
      step?: number
    }
    interface Owner {
      id?: string
      name?: string
      type?: string
    }
    interface Plan {
      id?: string
      can_subscribe?: boolean
      currency?: string
      externally_managed?: boolean
      frequency?: string
      is_subscribed?: boolean
      legacy_discount?: boolean
      legacy_id?: string
      name?: string
      price?: number
    }
    interface Tenant {
      id?: string
      name?: string
    }
    interface TenantUnit {
      id?: string
    }
  }
  export type Type = 'full' | 'partial' | 'secondary' | 'internal'
}
