import { countryCodes, ssnCountry } from '@ovation/contract/countries'
import type { Database } from '@ovation/contract/database'
import { verificationTexts } from '@ovation/contract/texts/verification'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { latestApplicationQuery } from '../../domain/verification/latest-application-query.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { uniqueViolation } from '../../lib/api/sqlstate.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import { wrongWithImage } from './id-image.ts'
import { isWholeSsn } from './ssn.ts'
import { useIdUploads } from './use-id-uploads.ts'

const { errors, submitted } = verificationTexts

export type ApplicationValues = {
  country: string
  fullName: string
  address: string
  ssn: string
  idFront: File | null
  idBack: File | null
}

/** A title, and the server's message. */
export type Failure = { title?: string; message: string }

/** VER-05, VER-06, VER-14, VER-15. An error loses nothing that was typed or chosen. */
export function useApplicationForm(userId: string) {
  const queryClient = useQueryClient()
  const [failure, setFailure] = useState<Failure>()
  const [attempted, setAttempted] = useState(false)
  const [pending, setPending] = useState(false)
  const { upload, progress, forget } = useIdUploads(userId)
  const form = useAppForm<ApplicationValues>({
    initialValues: { country: '', fullName: '', address: '', ssn: '', idFront: null, idBack: null },
    validate: {
      fullName: (value) => (value.trim() ? null : errors.fullName),
      address: (value) => (value.trim() ? null : errors.address),
      country: (value) => (countryCodes.includes(value) ? null : errors.country),
      ssn: (value, { country }) => (country === ssnCountry ? wrongWithSsn(value) : null),
      idFront: wrongWithImage,
      idBack: wrongWithImage,
    },
    draft: { key: `application:${userId}`, omit: ['ssn', 'idFront', 'idBack'] },
  })

  /** The result of `work`; or null, and the error shows. */
  const attempt = async <Result>(title: string, work: () => Promise<Result>): Promise<Result | null> => {
    try {
      return await work()
    } catch (error) {
      setFailure({ title, message: errorMessageOf(error) })
      return null
    }
  }

  const apply = async ({ country, fullName, address, ssn, idFront, idBack }: ApplicationValues) => {
    if (!idFront || !idBack) return
    const front = await attempt(errors.uploadFront, () => upload('front', idFront))
    const back = front && (await attempt(errors.uploadBack, () => upload('back', idBack)))
    if (!front || !back) return
    const sent = await attempt(errors.submit, () =>
      sendApplication({
        user_id: userId,
        country,
        full_name: fullName.trim(),
        address: address.trim(),
        // Never sent from elsewhere, even if it was typed before the country changed.
        ...(country === ssnCountry && { full_ssn: ssn }),
        id_front_url: front,
        id_back_url: back,
      }),
    )
    if (!sent) return
    form.forgetDraft()
    toast.success(submitted.message, submitted.title)
    await queryClient.invalidateQueries({ queryKey: latestApplicationQuery(userId).queryKey })
  }

  const send = form.handleSubmit(async (values) => {
    setPending(true)
    await apply(values)
    setPending(false)
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    setFailure(undefined)
    setAttempted(true)
    send(event)
  }

  const chooseImage = (field: 'idFront' | 'idBack', file: File) => {
    form.setFieldValue(field, file)
    form.setFieldError(field, wrongWithImage(file))
    forget(field === 'idFront' ? 'front' : 'back')
  }
  // Disappears once the last field is filled in.
  const gaps: Failure | undefined = attempted && isIncomplete(form.values) ? { message: errors.incomplete } : undefined
  return { form, submit, pending, failure: failure ?? gaps, progress, chooseImage }
}

type Row = Database['public']['Tables']['creator_applications']['Insert']

/**
 * Submits the application. Only one can be open: if there already is one, for example from a second window, that counts as success. The
 * last four digits aren't sent: the server takes them from the number.
 */
async function sendApplication(application: Omit<Row, 'ssn_last4'>): Promise<true> {
  const { error } = await supabase.from('creator_applications').insert(application as Row)
  if (error && error.code !== uniqueViolation) throw error
  return true
}

const wrongWithSsn = (value: string): string | null =>
  isWholeSsn(value) ? null : value ? errors.ssnShort : errors.ssnMissing

const isIncomplete = ({ ssn, ...values }: ApplicationValues): boolean =>
  Object.values({ ...values, ...(values.country === ssnCountry && { ssn }) }).some((value) =>
    typeof value === 'string' ? !value.trim() : !value,
  )
