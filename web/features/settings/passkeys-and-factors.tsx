import { Button } from '@mantine/core'
import { settingsTexts } from '@ovation/contract/texts/settings'
import { type QueryClient, type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { factorsQuery, recoveryCodesQuery } from '../../domain/accounts/factor-queries.ts'
import { RecoveryCodesDialog } from '../../domain/accounts/recovery-codes-dialog.tsx'
import { signInWaysQuery } from '../../domain/accounts/sign-in-ways.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { authClient } from '../../lib/auth/auth-client.ts'
import { isBrowsersRefusal, whyNoPasskeys } from '../../lib/auth/passkey-support.ts'
import { formatAgoInWords } from '../../lib/format/format-ago.ts'
import { formatDate } from '../../lib/format/format-date.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { announce, toast } from '../../ui/toast.ts'
import { NameDialog } from './name-dialog.tsx'
import { PhoneFactorDialog } from './phone-factor-dialog.tsx'
import { removeFactor } from './remove-factor.ts'
import { Section } from './section.tsx'
import classes from './settings.module.css'
import { passkeysQuery } from './sign-in-queries.ts'

const texts = settingsTexts.keys

type Key = { id: string; name: string; createdAt: string; usedAt?: string | null }

/** Passkeys, which sign in by themselves, and security keys and phone numbers, which are second factors (API-AUTH-19). */
export function KeyLists() {
  const ways = useQuery(signInWaysQuery())
  const unsupported = whyNoPasskeys()
  return (
    <>
      {ways.data?.passkeys !== false && <Passkeys unsupported={unsupported} />}
      <SecurityKeys unsupported={unsupported} />
      <PhoneNumbers offered={ways.data?.textMessages ?? false} />
    </>
  )
}

type KeysProps = { unsupported: ReturnType<typeof whyNoPasskeys> }

function Passkeys({ unsupported }: KeysProps) {
  const passkeys = useQuery(passkeysQuery())
  const [renaming, setRenaming] = useState<Key>()
  const add = useChange(async () => done(await (await authClient()).registerPasskey()), texts.done.added)
  const remove = useChange(
    async (id: string) => done(await (await authClient()).passkey.delete({ passkeyId: id })),
    texts.done.removed,
  )
  const rename = useChange(
    async ({ id, name }: { id: string; name: string }) =>
      done(await (await authClient()).passkey.update({ passkeyId: id, friendlyName: name })),
    texts.done.renamed,
    () => setRenaming(undefined),
  )
  return (
    <Section title={texts.passkeys} message={texts.passkeysMessage}>
      <KeyList
        query={passkeys}
        keys={passkeys.data?.map((passkey) => ({
          id: passkey.id,
          name: passkey.friendly_name ?? texts.unnamed,
          createdAt: passkey.created_at,
          usedAt: passkey.last_used_at ?? null,
        }))}
        empty={texts.noPasskeys}
        remove={remove}
        onRename={setRenaming}
      />
      <Button
        variant="default"
        onClick={() => add.mutate()}
        loading={add.isPending}
        disabled={unsupported !== undefined}
        mt="sm"
      >
        {texts.addPasskey}
      </Button>
      {unsupported && <p className={classes.rowDetail}>{texts.unsupported[unsupported]}</p>}
      {renaming && (
        <NameDialog
          title={texts.renameTitle}
          draftKey={renaming.id}
          name={renaming.name}
          pending={rename.isPending}
          onSave={(name) => rename.mutateAsync({ id: renaming.id, name })}
          onClose={() => setRenaming(undefined)}
        />
      )}
    </Section>
  )
}

function SecurityKeys({ unsupported }: KeysProps) {
  const factors = useQuery(factorsQuery())
  const [naming, setNaming] = useState(false)
  const add = useChange(
    async (friendlyName: string) => done(await (await authClient()).mfa.webauthn.register({ friendlyName })),
    texts.done.added,
    () => setNaming(false),
  )
  const remove = useRemoveFactor()
  return (
    <Section title={texts.securityKeys} message={texts.securityKeysMessage}>
      <KeyList
        query={factors}
        keys={factors.data
          ?.filter(({ factor_type: type }) => type === 'webauthn')
          .map((factor) => ({
            id: factor.id,
            name: factor.friendly_name || texts.unnamedKey,
            createdAt: factor.created_at,
          }))}
        empty={texts.noSecurityKeys}
        remove={remove}
      />
      <Button variant="default" onClick={() => setNaming(true)} disabled={unsupported !== undefined} mt="sm">
        {texts.addSecurityKey}
      </Button>
      {naming && (
        <NameDialog
          title={texts.nameTitle}
          draftKey="new"
          name=""
          pending={add.isPending}
          onSave={(name) => add.mutateAsync(name)}
          onClose={() => setNaming(false)}
        />
      )}
    </Section>
  )
}

/** Shown if SMS can be sent, or if there is a number to remove. */
function PhoneNumbers({ offered }: { offered: boolean }) {
  const queryClient = useQueryClient()
  const factors = useQuery(factorsQuery())
  const [step, setStep] = useState<'none' | 'number' | 'codes'>('none')
  const remove = useRemoveFactor()
  const phones = factors.data?.filter(({ factor_type: type }) => type === 'phone')
  if (!offered && !phones?.length) return null
  const finish = () => {
    setStep('none')
    readAgain(queryClient)
  }
  /** After the first factor, the recovery codes show right away, before the user can lose the phone. */
  const isFirst = factors.data?.length === 0
  return (
    <Section title={texts.phones} message={texts.phonesMessage}>
      <KeyList
        query={factors}
        keys={phones?.map((factor) => ({
          id: factor.id,
          name: factor.friendly_name || numberOf(factor),
          createdAt: factor.created_at,
        }))}
        empty={texts.noPhones}
        remove={remove}
      />
      {offered && (
        <Button variant="default" onClick={() => setStep('number')} disabled={!phones} mt="sm">
          {texts.addPhone}
        </Button>
      )}
      {step === 'number' && (
        <PhoneFactorDialog onVerified={isFirst ? () => setStep('codes') : finish} onClose={finish} />
      )}
      {step === 'codes' && <RecoveryCodesDialog renew={false} onClose={finish} />}
    </Section>
  )
}

/** The client's types omit the phone number. */
const numberOf = (factor: object): string => ('phone' in factor ? `+${String(factor.phone)}` : '')

/** Throws the error that the client returns. */
function done({ error }: { error: Error | null }): void {
  if (error) throw error
}

const useRemoveFactor = () => useChange(removeFactor, texts.done.removed)

function readAgain(queryClient: QueryClient) {
  for (const { queryKey } of [passkeysQuery(), factorsQuery(), recoveryCodesQuery()])
    void queryClient.invalidateQueries({ queryKey })
}

/** A change to the keys; reloads the lists, and shows a rejection. */
function useChange<Input = void>(change: (input: Input) => Promise<void>, success: string, onDone?: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => {
      announce(success)
      onDone?.()
      readAgain(queryClient)
    },
    onError: (error: Error) => {
      toast.error(isBrowsersRefusal(error) ? texts.canceled : errorMessageOf(error), texts.failed)
    },
  })
}

type ListProps = {
  query: Pick<UseQueryResult, 'isError' | 'isFetching' | 'refetch'>
  keys: Key[] | undefined
  empty: string
  remove: { mutate: (id: string, options: { onSettled: () => void }) => void; isPending: boolean }
  onRename?: (key: Key) => void
}

function KeyList({ query, keys, empty, remove, onRename }: ListProps) {
  const [removing, setRemoving] = useState<Key>()
  if (!keys) return query.isError ? <LoadFailed title={texts.loadFailed} of={query} /> : <ListSkeleton rows={1} />
  if (keys.length === 0) return <p className={classes.sectionMessage}>{empty}</p>
  return (
    <>
      <ul className={classes.rows}>
        {keys.map((key) => (
          <li key={key.id} className={classes.row}>
            <div className={classes.rowWords}>
              <div className={classes.rowTitle}>{key.name}</div>
              <p className={classes.rowDetail}>{detailOf(key)}</p>
            </div>
            <div className={classes.rowActions}>
              {onRename && (
                <Button variant="subtle" color="gray" onClick={() => onRename(key)} aria-label={texts.rename(key.name)}>
                  {texts.renameShort}
                </Button>
              )}
              <Button
                variant="subtle"
                color="gray"
                onClick={() => setRemoving(key)}
                aria-label={texts.remove(key.name)}
              >
                {texts.removeDialog.confirm}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {removing && (
        <ConfirmDialog
          title={texts.removeDialog.title(removing.name)}
          message={texts.removeDialog.message}
          confirmLabel={texts.removeDialog.confirm}
          pending={remove.isPending}
          onConfirm={() => remove.mutate(removing.id, { onSettled: () => setRemoving(undefined) })}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </>
  )
}

function detailOf({ createdAt, usedAt }: Key): string {
  const added = texts.added(formatDate(createdAt))
  if (usedAt === undefined) return added
  return `${added}, ${usedAt ? texts.used(formatAgoInWords(usedAt)) : texts.never}`
}
