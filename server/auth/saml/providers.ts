import pg from 'pg'
import { serviceRole } from '../../postgres/caller.ts'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { fragment, sql } from '../../postgres/sql.ts'
import { recordAudit } from '../audit.ts'
import type { Body } from '../body.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import type { RequestOrigin } from '../request-origin.ts'
import { isUuid } from '../uuid.ts'
import { type AttributeMapping, readMapping } from './attributes.ts'
import { fetchMetadata } from './fetch-metadata.ts'
import { type IdentityProvider, metadataMaxLength, readMetadata } from './metadata.ts'

/** A registered company, in the format of GoTrue's admin API (supabase/auth `internal/models/sso.go`). */
export type SsoProvider = {
  readonly id: string
  readonly resource_id: string | null
  readonly disabled: boolean
  readonly saml: {
    readonly entity_id: string
    readonly metadata_xml: string
    readonly metadata_url: string | null
    readonly attribute_mapping: AttributeMapping
    readonly name_id_format: string | null
    /** When the metadata were last read. */
    readonly updated_at: string
  }
  readonly domains: readonly { readonly domain: string; readonly created_at: string }[]
  readonly created_at: Date
  readonly updated_at: Date
}

/** Empty fields are left out. */
export function renderSsoProvider({ resource_id, disabled, saml, domains, ...provider }: SsoProvider) {
  const { entity_id, metadata_xml, metadata_url, attribute_mapping, name_id_format } = saml
  return {
    ...provider,
    ...(resource_id && { resource_id }),
    ...(disabled && { disabled }),
    saml: {
      entity_id,
      metadata_xml,
      ...(metadata_url && { metadata_url }),
      attribute_mapping,
      ...(name_id_format && { name_id_format }),
    },
    domains,
  }
}

const columns = fragment`p.id, p.resource_id, p.disabled, p.created_at, p.updated_at,
  jsonb_build_object('entity_id', s.entity_id, 'metadata_xml', s.metadata_xml, 'metadata_url', s.metadata_url,
    'attribute_mapping', s.attribute_mapping, 'name_id_format', s.name_id_format, 'updated_at', s.updated_at) as saml,
  (select coalesce(jsonb_agg(jsonb_build_object('domain', d.domain, 'created_at', d.created_at) order by d.domain), '[]')
    from auth.sso_domains d where d.sso_provider_id = p.id) as domains`

const nameIdFormats: ReadonlySet<string> = new Set([
  'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
])

export async function listSsoProviders({ db }: AuthContext): Promise<SsoProvider[]> {
  return db.rows<SsoProvider>(sql`
    select ${columns} from auth.sso_providers p join auth.saml_providers s on s.sso_provider_id = p.id order by p.created_at, p.id`)
}

/** @throws GatewayError 404 `sso_provider_not_found`. */
export async function findSsoProvider({ db }: { readonly db: CallerDb }, id: string): Promise<SsoProvider> {
  const [found] = isUuid(id)
    ? await db.rows<SsoProvider>(sql`
        select ${columns} from auth.sso_providers p join auth.saml_providers s on s.sso_provider_id = p.id where p.id = ${id}`)
    : []
  if (!found) throw authErrors.ssoProviderNotFound('A SSO provider for this UUID was not found')
  return found
}

/** Found by what a user can provide: the company's id, or the domain of their address. */
export async function findSsoProviderBy(
  { db }: { readonly db: CallerDb },
  by: { readonly domain: string } | { readonly entityId: string },
): Promise<SsoProvider | undefined> {
  const { domain, entityId } = { domain: null, entityId: null, ...by }
  const [found] = await db.rows<SsoProvider>(sql`
    select ${columns} from auth.sso_providers p join auth.saml_providers s on s.sso_provider_id = p.id
    where s.entity_id = ${entityId} or p.id = (select d.sso_provider_id from auth.sso_domains d where d.domain = ${domain})`)
  return found
}

/** @throws GatewayError 400 `validation_failed`, `saml_metadata_fetch_failed`; 422 `saml_idp_already_exists`, `sso_domain_already_exists`. */
export async function createSsoProvider(ctx: AuthContext, body: Body, visitor: RequestOrigin): Promise<SsoProvider> {
  if (body.text('type') !== 'saml') throw authErrors.validationFailed("Only 'saml' supported for SSO provider type")
  const metadata = await readGivenMetadata(body)
  if (!metadata) throw authErrors.validationFailed('Either metadata_xml or metadata_url must be set')
  const domains = readDomains(body) ?? []
  const mapping = readMapping(body.data('attribute_mapping') ?? {})
  return store(ctx, async (db) => {
    const [provider] = await db.rows<{ id: string }>(sql`
      insert into auth.sso_providers (resource_id, disabled)
      values (${body.text('resource_id', 255) ?? null}, ${body.flag('disabled') ?? false}) returning id`)
    const id = provider?.id ?? ''
    await db.rows(sql`
      insert into auth.saml_providers (sso_provider_id, entity_id, metadata_xml, metadata_url, attribute_mapping, name_id_format)
      values (${id}, ${metadata.idp.entityId}, ${metadata.xml}, ${metadata.url ?? null}, ${JSON.stringify(mapping)}, ${readNameIdFormat(body) ?? null})`)
    await storeDomains(db, id, domains)
    await recordAudit(db, 'sso_provider_created', undefined, visitor, { provider: `sso:${id}` })
    return id
  })
}

/** Changes the given fields. @throws like `createSsoProvider`; 404 `sso_provider_not_found`; 422 `saml_entity_id_mismatch`. */
export async function updateSsoProvider(
  ctx: AuthContext,
  id: string,
  body: Body,
  visitor: RequestOrigin,
): Promise<SsoProvider> {
  const known = await findSsoProvider(ctx, id)
  const metadata = await readGivenMetadata(body)
  if (metadata && metadata.idp.entityId !== known.saml.entity_id) throw authErrors.samlEntityIdMismatch()
  const domains = readDomains(body)
  const mapping = body.data('attribute_mapping')
  return store(ctx, async (db) => {
    await db.rows(sql`
      update auth.sso_providers set
        resource_id = coalesce(${body.text('resource_id', 255) ?? null}, resource_id),
        disabled = coalesce(${body.flag('disabled') ?? null}, disabled), updated_at = now()
      where id = ${id}`)
    await db.rows(sql`
      update auth.saml_providers set
        metadata_xml = coalesce(${metadata?.xml ?? null}, metadata_xml),
        metadata_url = case when ${metadata !== undefined}::boolean then ${metadata?.url ?? null} else metadata_url end,
        attribute_mapping = coalesce(${mapping ? JSON.stringify(readMapping(mapping)) : null}::jsonb, attribute_mapping),
        name_id_format = coalesce(${readNameIdFormat(body) ?? null}, name_id_format), updated_at = now()
      where sso_provider_id = ${id}`)
    if (domains) {
      await db.rows(
        sql`delete from auth.sso_domains where sso_provider_id = ${id} and domain <> all(${domains}::text[])`,
      )
      await storeDomains(db, id, domains)
    }
    await recordAudit(db, 'sso_provider_modified', undefined, visitor, { provider: `sso:${id}` })
    return id
  })
}

/** The company's users can't sign in any more, and are signed out; their accounts stay. */
export async function deleteSsoProvider(ctx: AuthContext, id: string, visitor: RequestOrigin): Promise<SsoProvider> {
  const known = await findSsoProvider(ctx, id)
  const provider = `sso:${known.id}`
  await ctx.database.transaction(serviceRole, async (db) => {
    await db.rows(sql`
      with sessions as (
        delete from auth.sessions s using auth.identities i where i.user_id = s.user_id and i.provider = ${provider}
      )
      delete from auth.sso_providers where id = ${known.id}`)
    await recordAudit(db, 'sso_provider_deleted', undefined, visitor, { provider })
  })
  return known
}

const refreshAfterMs = 24 * 3600 * 1000

/**
 * The identity provider's metadata, read again from their URL once a day, because certificates change. Metadata that can't be
 * read, or belong to another provider, change nothing and delay nobody: one sign-in requests them, and another 15 minutes later.
 */
export async function currentMetadata(ctx: AuthContext, { id, saml }: SsoProvider): Promise<IdentityProvider> {
  const isOld = Date.parse(saml.updated_at) < Date.now() - refreshAfterMs
  if (!saml.metadata_url || !isOld || !(await takeTurn(ctx, id))) return readMetadata(saml.metadata_xml)
  try {
    const xml = await fetchMetadata(saml.metadata_url)
    const idp = await readMetadata(xml)
    if (idp.entityId !== saml.entity_id) throw authErrors.samlEntityIdMismatch()
    await ctx.db.rows(
      sql`update auth.saml_providers set metadata_xml = ${xml}, updated_at = now() where sso_provider_id = ${id}`,
    )
    return idp
  } catch (err) {
    ctx.log.warn({ err, sso_provider: id }, 'SAML metadata could not be refreshed; using the stored ones')
    return readMetadata(saml.metadata_xml)
  }
}

/** Whether this sign-in is the one that requests them. */
async function takeTurn({ db }: AuthContext, id: string): Promise<boolean> {
  const [taken] = await db.rows(sql`
    update auth.saml_providers set metadata_tried_at = now()
    where sso_provider_id = ${id} and (metadata_tried_at is null or metadata_tried_at < now() - interval '15 minutes') returning id`)
  return taken !== undefined
}

async function readGivenMetadata(body: Body) {
  const url = body.text('metadata_url', 2048)
  const given = body.text('metadata_xml', metadataMaxLength)
  if (url && given) throw authErrors.validationFailed('Only one of metadata_xml or metadata_url needs to be set')
  if (!url && !given) return undefined
  const xml = url ? await fetchMetadata(url) : (given ?? '')
  return { xml, url, idp: await readMetadata(xml) }
}

function readNameIdFormat(body: Body): string | undefined {
  const format = body.text('name_id_format')
  if (format && !nameIdFormats.has(format)) {
    throw authErrors.validationFailed(`name_id_format must be one of ${[...nameIdFormats].join(', ')}`)
  }
  return format || undefined
}

const domainForm = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/

function readDomains(body: Body): readonly string[] | undefined {
  const domains = body.texts('domains')?.map((domain) => domain.trim().toLowerCase())
  if (domains?.some((domain) => !domainForm.test(domain))) {
    throw authErrors.validationFailed('domains must be domain names, such as example.com')
  }
  return domains && [...new Set(domains)]
}

async function storeDomains(db: CallerDb, id: string, domains: readonly string[]) {
  await db.rows(sql`
    insert into auth.sso_domains (sso_provider_id, domain)
    select ${id}, d from unnest(${domains}::text[]) d
    where not exists (select from auth.sso_domains k where k.sso_provider_id = ${id} and k.domain = d)`)
}

async function store(ctx: AuthContext, write: (db: CallerDb) => Promise<string>): Promise<SsoProvider> {
  try {
    return await ctx.database.transaction(serviceRole, async (db) => findSsoProvider({ db }, await write(db)))
  } catch (error) {
    const constraint = error instanceof pg.DatabaseError ? error.constraint : undefined
    if (constraint === 'saml_providers_entity_id_key') throw authErrors.samlIdpExists()
    if (constraint === 'sso_domains_domain_key') throw authErrors.ssoDomainExists()
    if (constraint === 'sso_providers_resource_id_key') {
      throw authErrors.conflict(422, 'A SSO provider with this resource_id exists already')
    }
    throw error
  }
}
