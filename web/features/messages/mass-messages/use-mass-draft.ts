import type { Database } from '@ovation/contract/database'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { massMessagesKey } from '../../../domain/mass-messages/queries.ts'
import { supabase } from '../../../lib/api/supabase.ts'
import { argumentsOf, canSave, type MassValues } from './mass-values.ts'

type Arguments = Database['public']['Functions']['save_mass_message']['Args']

/** How long after the last change a draft is saved. */
const pauseMs = 1_000

type Options = {
  viewerId: string
  /** The draft or scheduled message that the composer opened with; without it, the first save makes a draft. */
  opened: MassValues | undefined
  /** Whether changes are saved by themselves. A scheduled message changes only when its creator says so. */
  isAuto: boolean
  /** The present values. */
  read: () => MassValues
  onSavedAs: (id: string) => void
  /** The server has all of it, and the composer doesn't need the copy in this browser. */
  onKept: () => void
}

/** Saves the message on the server while it is written, one request after the other. */
export function useMassDraft({ viewerId, opened, isAuto, read, onSavedAs, onKept }: Options) {
  const queryClient = useQueryClient()
  const savedAs = useRef(opened?.savedAs)
  /** What the server has. */
  const saved = useRef(opened && JSON.stringify(argumentsOf(opened)))
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isChanged = useRef(false)
  const isLeft = useRef(false)

  /** Saves these values. @returns the id of the message. */
  const save = async (values: MassValues): Promise<string> => {
    const content = argumentsOf(values)
    const id = savedAs.current ?? values.savedAs
    const put = async (mass_message_id: string) => {
      // The generated types don't say that PostgreSQL takes null for an argument.
      const request = { ...content, ...(mass_message_id && { mass_message_id }) } as Arguments
      const { data, error } = await supabase.rpc('save_mass_message', request)
      if (error) throw error
      return data
    }
    const isNew = opened === undefined
    const result = await put(id).catch((error: { code?: string }) => {
      // A new message that this browser remembers, and that was deleted or sent from somewhere else: it begins again.
      if (isNew && id && (error.code === 'PT404' || error.code === 'PT409')) return put('')
      throw error
    })
    savedAs.current = result
    saved.current = JSON.stringify(content)
    if (isNew && !isLeft.current) onSavedAs(result)
    return result
  }

  const saving = useMutation({
    // After one another, so that the first one makes the draft that the next one changes.
    scope: { id: 'mass-message' },
    mutationFn: save,
    onSuccess: () => {
      if (isKept(read()) && (isLeft.current || opened !== undefined)) onKept()
      void queryClient.invalidateQueries({ queryKey: [...massMessagesKey(viewerId), 'list'] })
    },
  })

  const stop = () => clearTimeout(timer.current)
  const isKept = (values: MassValues) => saved.current === JSON.stringify(argumentsOf(values))
  const saveChanges = () => {
    const values = read()
    if (isAuto && isChanged.current && canSave(values) && !isKept(values)) saving.mutate(values)
  }

  const leave = useEffectEvent(() => {
    if (isLeft.current) return
    isLeft.current = true
    stop()
    if (isAuto && isKept(read())) onKept()
    else saveChanges()
  })
  useEffect(() => {
    isLeft.current = false
    return () => leave()
  }, [])

  return {
    save,
    isSaving: saving.isPending,
    isSaved: saving.isSuccess,
    error: saving.error,
    noteChange: () => {
      isChanged.current = true
      stop()
      if (isAuto) timer.current = setTimeout(saveChanges, pauseMs)
    },
    /** The message was sent, or its creator saved it and leaves. */
    finish: () => {
      stop()
      isLeft.current = true
      onKept()
    },
  }
}
