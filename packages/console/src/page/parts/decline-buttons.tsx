/** The two ways to send a server nothing: a refusal, or no answer. */
export function DeclineButtons({ onAnswer }: { readonly onAnswer: (answer: { readonly action: 'decline' | 'cancel' }) => void }) {
  return (
    <>
      <button type="button" onClick={() => onAnswer({ action: 'decline' })}>
        Decline
      </button>
      <button type="button" onClick={() => onAnswer({ action: 'cancel' })}>
        Cancel
      </button>
    </>
  )
}
