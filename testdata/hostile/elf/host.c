int shade = 1;
int twice(int x)
{
	return shade + 2 * x;
}
