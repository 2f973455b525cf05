export function SignInPage({ link }: { link: string }) {
  return (
    <form method="post" action="/sign-in">
      <input type="hidden" name="link" value={link} />
      <button type="submit">Sign in</button>
    </form>
  );
}
export function NotSignedInPage() {
  return <p>Ask for a sign-in link.</p>;
}
