import { sessionTexts as texts } from '@ovation/contract/texts/private-sessions'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { timesKey } from '../../domain/private-sessions/availability-queries.ts'
import { bookingsKey } from '../../domain/private-sessions/booking-queries.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { announce } from '../../ui/toast.ts'

export type Step = 'accept' | 'decline' | 'cancel' | 'complete'
export type Taken = { step: Step; bookingId: string; reason?: string }

/** PRIV-05: an action on a booking. The database decides who can take it and when; the caller shows a rejection. */
export function useBookingStep() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ step, bookingId, reason }: Taken) => {
      const booking = { booking_id: bookingId }
      const called =
        step === 'accept' || step === 'complete'
          ? supabase.rpc(`${step}_booking`, booking)
          : supabase.rpc(`${step}_booking`, { ...booking, ...(reason?.trim() && { reason: reason.trim() }) })
      await called.throwOnError()
    },
    onSuccess: (_nothing, { step }) => announce(texts.done[step]),
    // Also after a rejection: the other participant may have been quicker, and the list then shows the result.
    onSettled: () =>
      Promise.all([bookingsKey, timesKey].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  })
}
