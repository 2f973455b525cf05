import { memberOf } from "../../http/access.ts";
import { newRouter } from "../../http/router.ts";

export const dashboard = newRouter();
dashboard.get("/", async (c) => {
  const member = await memberOf(c);
  return member === null ? c.redirect("/sign-in", 303) : c.html(<p>{member.name}</p>);
});
